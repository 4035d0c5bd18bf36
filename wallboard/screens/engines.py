"""Which browser a TV runs, in a few words, from what it calls itself."""

import re

ENGINES = (  # the first that is found names it; most browsers also carry the names of older ones
    ("Edge", r"Edg/(\d+)"),
    ("Firefox", r"Firefox/(\d+)"),
    ("Chromium", r"(?:Chrome|Chromium)/(\d+)"),
    ("Safari", r"Version/(\d+)[\d.]* .*Safari/"),
    ("WebKit", r"AppleWebKit/(\d+)"),
)
# The first that is found, as above: TVs also call themselves Android and Linux.
DEVICES = (
    ("Samsung TV", r"Tizen|SMART-TV"),
    ("LG TV", r"Web0S|WebOS"),
    ("Fire TV", r"\bAFT\w+"),
    ("Android", r"Android"),
    ("ChromeOS", r"CrOS"),
    ("iPad or iPhone", r"iPad|iPhone"),
    ("Windows", r"Windows"),
    ("Mac", r"Macintosh"),
    ("Linux", r"Linux"),
)


def engine_name(user_agent: str) -> str:
    """The engine with its version and the kind of device: "Chromium 68, Samsung TV"; a dash where it says nothing."""
    engine = next((f"{name} {found[1]}" for name, text in ENGINES if (found := re.search(text, user_agent))), "")
    device = next((name for name, text in DEVICES if re.search(text, user_agent)), "")
    return ", ".join(filter(None, (engine, device))) or user_agent[:40] or "–"
