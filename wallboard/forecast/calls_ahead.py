"""How many calls the next hour brings, from the same weekday and hour of the last weeks and the course of today.

Calls of a quarter are Poisson around a rate by weekday and time of day; the rates are drawn towards a weekday's share
of the usual day (a gamma prior), as one slot alone has seen few calls. The level of a whole day varies, and that of
each hour beside it: both are gamma distributed, with variances that the company's own days show (method of moments).
What came today so far moves the level of today (empirical Bayes, the Poisson-gamma model of S. Aldor-Noiman, P. Feigin
and A. Mandelbaum, "Workload forecasting for a call center", 2009, and G. Jongbloed and G. Koole, "Managing uncertainty
in call centres using Poisson mixtures", 2001). The count to come is then negative binomial.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from math import exp, lgamma, log, sqrt
from statistics import NormalDist

from wallboard.forecast.courses import QUARTERS, WINDOW, DayCourse, Window

WEEKS = 8  # looked back at
FEWEST_DAYS = 3  # on which the same hour of the same weekday was seen
COVERED = 0.8
PRIOR_MINUTES = 60.0  # the usual day counts as much as so many minutes in each quarter
PRIOR_DAYS, PRIOR_DAY_VARIANCE, PRIOR_HOUR_VARIANCE = 5.0, 0.01, 0.005
LEAST_RATE = 1e-4  # calls a minute; nothing is impossible
HALF_LIFE_WEEKS = 8.0  # older weeks count less
VARIANCE_SCALE, LEAST_VARIANCE = 0.02, 1e-4


@dataclass(frozen=True)
class CallsAhead:
    """Calls of an hour to come: their mean, and the shape of their negative binomial distribution."""

    mean: float
    shape: float

    @property
    def interval(self) -> tuple[int, int]:
        """The whole numbers from, to that hold nearest to 80 %."""
        return interval(self.mean, self.shape, COVERED)

    def levels(self, count: int) -> list[float]:
        """Means that are equally likely: the gamma distribution of the level in so many parts, smallest first."""
        spread = 1 / sqrt(9 * self.shape)
        # Wilson and Hilferty's cube root: good to a percent from a shape of 1 on.
        points = [NormalDist().inv_cdf((part + 0.5) / count) for part in range(count)]
        found = [max(0.0, 1 - spread * spread + spread * point) ** 3 * self.mean for point in points]
        scale = self.mean * count / sum(found)
        return [level * scale for level in found]


@dataclass(frozen=True)
class TooShort:
    """Why there is no forecast: on so many days the hour was seen."""

    days: int


class Rates:
    """What the days of one queue until now tell; days of other queues do not matter."""

    def __init__(self, courses: Sequence[DayCourse], today: date) -> None:
        self.today = today
        ages = [(course, (today - course.day).days / 7) for course in courses]
        self._past = [(course, 0.5 ** (age / HALF_LIFE_WEEKS)) for course, age in ages if 0 < age <= WEEKS]
        self._now = next((each for each in courses if each.day == today), DayCourse(today))
        self._rates = self._by_slot(*self._usual_day())
        self.day_variance, self.hour_variance = self._variances()

    def ahead(self, window: Window, until: int) -> CallsAhead | TooShort:
        """The calls of a window, after so many quarters of today."""
        same = self._same_hours(window)
        if len(same) < FEWEST_DAYS:
            return TooShort(len(same))
        usual = sum(minutes * self._rates[day.weekday()][at] for day, at, minutes in window.slots)
        came, expected = self._came(until)
        # What the fitted rates miss of a weekday shows in the course of today as well.
        prior = 1 / (self.day_variance * (1 + 1 / len(same)))
        level = (prior + came) / (prior + expected)
        seen = sum(calls for calls, _ in same) + usual
        of_rate = 1 / max(seen, 1.0) + self.hour_variance / len(same)
        spread = 1 / (prior + came) + self.hour_variance + of_rate
        return CallsAhead(max(usual * level, LEAST_RATE), 1 / spread)

    def _usual_day(self) -> tuple[list[float], list[float]]:
        """Calls a minute in each quarter, and how much of it each weekday brings; by turns, as neither comes first."""
        shares, usual = [1.0] * 7, [LEAST_RATE] * QUARTERS
        for _ in range(3):
            calls, minutes = [0.0] * QUARTERS, [0.0] * QUARTERS
            for course, weight in self._past:
                share = weight * shares[course.day.weekday()]
                for quarter, count, time in course.seen:
                    calls[quarter] += weight * count
                    minutes[quarter] += share * time
            usual = [max(LEAST_RATE, count / (time or 1)) for count, time in zip(calls, minutes, strict=True)]
            came, expected = [1.0] * 7, [1.0] * 7
            for course, weight in self._past:
                came[course.day.weekday()] += weight * sum(count for _, count, _ in course.seen)
                expected[course.day.weekday()] += weight * sum(time * usual[at] for at, _, time in course.seen)
            shares = [count / mean for count, mean in zip(came, expected, strict=True)]
        return usual, shares

    def _by_slot(self, usual: list[float], shares: list[float]) -> list[list[float]]:
        """Calls a minute by weekday and quarter."""
        calls = [[PRIOR_MINUTES * share * rate for rate in usual] for share in shares]
        minutes = [[PRIOR_MINUTES] * QUARTERS for _ in shares]
        for course, weight in self._past:
            weekday = course.day.weekday()
            for quarter, count, time in course.seen:
                calls[weekday][quarter] += weight * count
                minutes[weekday][quarter] += weight * time
        return [[count / time for count, time in zip(*each, strict=True)] for each in zip(calls, minutes, strict=True)]

    def _variances(self) -> tuple[float, float]:
        """Of the level of a day, and of that of an hour beside it; drawn to a little where few days were seen."""
        days, hours = Moments(PRIOR_DAYS, PRIOR_DAY_VARIANCE), Moments(PRIOR_DAYS, PRIOR_HOUR_VARIANCE)
        for course, _ in self._past:
            pairs = [(count, time * self._rates[course.day.weekday()][at], at) for at, count, time in course.seen]
            expected = sum(mean for _, mean, _ in pairs)
            came = sum(count for count, _, _ in pairs)
            days.add(came, expected)
            for hour in range(0, QUARTERS, WINDOW):
                within = [(count, mean) for count, mean, at in pairs if hour <= at < hour + WINDOW]
                if within and expected:
                    hours.add(sum(each[0] for each in within), sum(each[1] for each in within) * came / expected)
        # The rates were fitted to these same days, which hides a part of how they vary.
        fitted = 1 + 1 / max(1, len(self._past) // 7)
        return days.variance(fitted), hours.variance(fitted)

    def _came(self, until: int) -> tuple[int, float]:
        """Calls that came today in the quarters that are over, and how many were expected."""
        rates = self._rates[self.today.weekday()]
        seen = [(count, time * rates[at]) for at, count, time in self._now.seen if at < until]
        return sum(count for count, _ in seen), sum(mean for _, mean in seen)

    def _same_hours(self, window: Window) -> list[tuple[int, float]]:
        """Calls and minutes of that hour on each of the same weekdays, where most of what is open of it was seen."""
        courses = {course.day: course for course, _ in self._past}
        slots = [(day, at) for day, at, minutes in window.slots if minutes]
        found = []
        for week in range(1, WEEKS + 1):
            parts = [
                (course.offered[at], course.minutes[at])
                for day, at in slots
                if (course := courses.get(day - timedelta(weeks=week))) and course.minutes[at]
            ]
            if parts and 2 * len(parts) >= len(slots):
                found.append((sum(each[0] for each in parts), sum(each[1] for each in parts)))
        return found


class Moments:
    """The variance of a level that counts are Poisson around, from squares of what they missed it by."""

    def __init__(self, prior_count: float, prior_variance: float) -> None:
        self._surplus = self._weight = 0.0
        self._count, self._prior = 0, (prior_count, prior_variance)

    def add(self, came: float, expected: float) -> None:
        """A count beside its mean; large ones tell more."""
        weight = 1 / (1 + expected * VARIANCE_SCALE) ** 2
        self._surplus += weight * ((came - expected) ** 2 - expected)
        self._weight += weight * expected * expected
        self._count += 1

    def variance(self, fitted: float) -> float:
        """The variance relative to the mean squared; never quite nothing."""
        count, usual = self._prior
        own = max(0.0, self._surplus / self._weight) * fitted if self._weight else usual
        return max(LEAST_VARIANCE, (count * usual + self._count * own) / (count + self._count))


def interval(mean: float, shape: float, covered: float) -> tuple[int, int]:
    """The central whole numbers from, to whose share of that negative binomial is nearest to what is wanted."""
    deviation = sqrt(mean + mean * mean / shape)
    most = int(mean + 6 * deviation) + 5
    shares = [_share(count, mean, shape) for count in range(most)]
    sums = list(accumulate(shares))
    tail = (1 - covered) / 2
    low = next((count for count, total in enumerate(sums) if total > tail), most - 1)
    high = next((count for count, total in enumerate(sums) if total >= 1 - tail), most - 1)
    choices = [(first, last) for first in (low, low + 1) for last in (high - 1, high) if 0 <= first <= last < most]

    def missed(choice: tuple[int, int]) -> float:
        first, last = choice
        return abs(sums[last] - sums[first] + shares[first] - covered)

    return min(choices, key=missed)


def _share(count: int, mean: float, shape: float) -> float:
    """Of a negative binomial distribution with that mean: the share of this count."""
    of_count = lgamma(count + shape) - lgamma(shape) - lgamma(count + 1)
    return exp(of_count + shape * log(shape / (shape + mean)) + count * log(mean / (shape + mean)))
