"""What would mend a bad number: pure edits of the document, each tried on the very run that went wrong."""

from core.mends.mend import Mend, Provider
from core.mends.offers import PROVIDERS, mends, run_mended

__all__ = ["PROVIDERS", "Mend", "Provider", "mends", "run_mended"]
