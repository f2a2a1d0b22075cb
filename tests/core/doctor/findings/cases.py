"""All cases: graphs on which people got inf, nan or a gradient of 0, most of them from public issues."""

from tests.core.doctor.findings.case import Case
from tests.core.doctor.findings.cases_choices import CHOICES
from tests.core.doctor.findings.cases_formulas import FORMULAS
from tests.core.doctor.findings.cases_losses import LOSSES
from tests.core.doctor.findings.cases_roots import ROOTS

CASES: dict[str, Case] = {**CHOICES, **ROOTS, **LOSSES, **FORMULAS}
