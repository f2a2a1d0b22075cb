"""All formulas that have a safer form, in the order in which they are tried: those that explain most come first."""

from cadena.core.doctor.mends.digits import DIGITS
from cadena.core.doctor.mends.formulas import STABLE
from cadena.core.doctor.mends.statistics import STATISTICS

FORMULAS = (*STATISTICS, *STABLE, *DIGITS)
