"""The lives that contacts lead, before any report shows them."""

from datetime import date

from demo.stories import tell_contact

DAY = date(2026, 1, 30)


def test_a_life_is_told_the_same_way_each_time():
    assert tell_contact(7, DAY, 12) == tell_contact(7, DAY, 12) != tell_contact(7, DAY, 13)


def test_events_follow_each_other_and_nobody_lives_for_23_hours():
    """The day on which clocks go forward is that short, and who waits when it begins has ended when it is over."""
    longest = 0
    for number in range(2000):
        moments = [event.at for event in tell_contact(7, DAY, number).events]
        assert moments == sorted(moments)
        longest = max(longest, moments[-1] - moments[0])
    assert 16 * 3_600_000 < longest < 23 * 3_600_000


def test_the_evenings_emails_wait_past_midnight_in_any_american_zone():
    for number in (1, 11, 21, 31):
        contact = tell_contact(7, DAY, number)
        hours = [(event.at / 3_600_000) % 24 for event in contact.events]
        assert contact.channel.name == "EMAIL"
        assert 17 <= hours[0] <= 18
        assert hours[-1] >= 8
        assert contact.events[-1].at // 86_400_000 == contact.events[0].at // 86_400_000 + 1
