"""All formulas that have a safer form, in the order in which they are tried: those that explain most come first."""

from core.mends.digits import DIGITS
from core.mends.formulas import STABLE
from core.mends.statistics import STATISTICS

FORMULAS = (*STATISTICS, *STABLE, *DIGITS)
