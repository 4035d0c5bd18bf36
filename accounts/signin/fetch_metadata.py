"""What a browser says about why it asks (Fetch Metadata, https://www.w3.org/TR/fetch-metadata/), where it says it.

A page of another site can make its visitors' browsers ask for our addresses as pictures or frames, hundreds of times.
Browsers since 2020 (Safari since 2023) tell that apart from somebody who follows a link; TVs may be older and say
nothing, which counts as following one.
"""

from django.http import HttpRequest

NOT_FOR_PAGES = ("image/", "video/", "audio/", "text/css")  # how the Accept header of an older browser begins then


def is_page_visit(request: HttpRequest) -> bool:
    """Whether somebody wants to see the page: not as a picture, script or frame of another one."""
    destination = request.headers.get("Sec-Fetch-Dest", "document")
    return destination == "document" and not request.headers.get("Accept", "").startswith(NOT_FOR_PAGES)


def is_from_another_site(request: HttpRequest) -> bool:
    """Whether a page of another site led here; not where the address was typed, or the browser does not say."""
    return request.headers.get("Sec-Fetch-Site", "none") == "cross-site"
