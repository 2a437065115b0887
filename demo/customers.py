"""Who writes to the support desk, and which guest of the hotels that is.

A customer goes by a word that is the same in every sandbox; the id that Gladly shows is made of it and the seed.

    17, 3/17       comes back now and then; every 40 contacts a day have 600 customers of their own
    regular 17     writes once in 140 days, as contact 0 of a day: that contact is a whole conversation
    twin 739646    somebody known already, written down a second time; merged some days later
"""

from __future__ import annotations

from datetime import date

from demo.chance import opaque_id

CONTACTS_OF_A_BLOCK = 40
CUSTOMERS_OF_A_BLOCK = 600
REGULARS = 140
# On a day with a twin, contact TWIN is its, and it turns out to be the customer of contact TWINS_ORIGINAL.
TWIN = 4
TWINS_ORIGINAL = 2


def customer_of(day: date, number: int, place: int) -> str:
    """The customer of a day's contact `number`; `place` is drawn from CUSTOMERS_OF_A_BLOCK."""
    if number == 0:
        return regular_of(day)
    if number == TWIN and day.toordinal() % 3 == 0:
        return f"twin {day.toordinal()}"
    block = number // CONTACTS_OF_A_BLOCK
    return f"{block}/{place}" if block else str(place)


def regular_of(day: date) -> str:
    """The customer of a day's contact 0."""
    return f"regular {day.toordinal() % REGULARS}"


def is_regular(customer: str) -> bool:
    return customer.startswith("regular")


def is_twin(customer: str) -> bool:
    return customer.startswith("twin")


def customer_id(seed: int, customer: str) -> str:
    """The id that Gladly gives a customer."""
    return opaque_id(seed, "customer", customer)


def conversation_id(seed: int, customer: str, day: date) -> str:
    """A customer's contacts of one week, Sunday to Saturday, are one conversation."""
    return opaque_id(seed, "conversation", customer, day.toordinal() // 7)


def guest_of(customer: str) -> int | None:
    """The number of the hotels' guest who has this customer's e-mail address; None: no guest has it."""
    if is_regular(customer):
        return 1 + int(customer.removeprefix("regular "))
    if customer.isdigit() and int(customer) % 3 == 0:
        return 1 + REGULARS + int(customer) // 3
    return None
