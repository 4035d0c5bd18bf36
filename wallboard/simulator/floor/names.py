"""Invented people and telephone numbers, only from ranges that regulators keep free for film and documentation."""

from dataclasses import dataclass
from random import Random


def _split(text: str, separator: str | None = None) -> list[str]:
    return text.replace("\n", separator or " ").split(separator)


GIVEN_NAMES = _split("""Ana Ben Carla Deniz Eva Farid Gina Hugo Ines Jan Kaya Leo Mia Nils Olga Paul Quinn Rosa Sam Tara
Uwe Vera Will Xenia Yara Zoe Amir Bea Cem Dora Emil Fay Gus Hana Ivo Jude Kim Lena Milo Nora Omar Pia Rafe Selma Theo
Una Viktor Wanda Yusuf Zita""")
FAMILY_NAMES = _split("""Albers Brandt Castell Dahl Ekman Fabre Gruber Holm Ivers Jansen Keller Lindqvist Marlow Nowak
Okafor Pereira Quist Rossi Sandoval Thorne Ulrich Vance Weiss Yilmaz Zeller Ashdown Birch Conti Delgado Ellery Forsyth
Grange Hartley Imhof Jarvis Kovacs Laurent Moreau Nygaard Orlov Pryce Ridley Sorensen Talbot Ueda Voss Whitlock Abara
Bosch""")
COMPANY_NAMES = _split(
    """Brandt Werkzeuge|Oakfield Dental|Lumen Travel|Nordlicht Bau|Atelier Fabre|Harbour Foods|Kestrel Cycles
Maple Lane School|Pixel & Vane|Rossi Ceramica|Silverbirch Homes|Tidewater Inn|Velo Moreau|Weiss Optik|Zeller Transport
Green Acre Farm|Blue Door Books|Castell Wines|Lindqvist Bygg|Marlow Legal""",
    "|",
)

# Prefix, digits that follow it, weight. Sources: lists for drama use of Ofcom, BNetzA, NANPA, ACMA, Arcep, PTS.
FICTIONAL_RANGES = (
    ("+4420794600", 2, 5),
    ("+4477009001", 2, 4),
    ("+441632960", 3, 3),
    ("+493023125", 3, 6),
    ("+498999998", 3, 4),
    ("+496990009", 3, 3),
    ("+121255501", 2, 5),
    ("+131255501", 2, 3),
    ("+141555501", 2, 3),
    ("+613701001", 2, 2),
    ("+612555001", 2, 2),
    ("+331990012", 2, 3),
    ("+336399801", 2, 2),
    ("+468465004", 2, 2),
)


@dataclass(frozen=True, slots=True)
class Customer:
    """Somebody outside who calls: the number and what caller-id text shows with it."""

    number: str | None
    name: str


WITHHELD = Customer(None, "Anonymous")


def phone_number(random: Random) -> str:
    """A telephone number in E.164 that no subscriber can have."""
    prefix, digits, _ = random.choices(FICTIONAL_RANGES, [weight for _, _, weight in FICTIONAL_RANGES])[0]
    return f"{prefix}{random.randrange(10**digits):0{digits}d}"


def customers(random: Random, count: int) -> list[Customer]:
    """People outside; some show a company name, some only their number. The first ones call most often."""
    drawn = (_customer(random) for _ in range(count))
    return list({customer.number: customer for customer in drawn}.values())


def _customer(random: Random) -> Customer:
    number = phone_number(random)
    shown_as = random.random()
    if shown_as < 0.3:
        return Customer(number, number)
    if shown_as < 0.5:
        return Customer(number, random.choice(COMPANY_NAMES))
    return Customer(number, f"{random.choice(GIVEN_NAMES)} {random.choice(FAMILY_NAMES)}")


def person_name(index: int) -> str:
    """A colleague's name; the first fifty have different given names."""
    family = FAMILY_NAMES[(index * 11 + index // len(GIVEN_NAMES)) % len(FAMILY_NAMES)]
    return f"{GIVEN_NAMES[index % len(GIVEN_NAMES)]} {family}"
