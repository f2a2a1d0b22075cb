"""What would mend a bad number: pure edits of the document, each tried on the very run that went wrong."""

from core.mends.mend import Mend, Provider
from core.mends.offers import PROVIDERS, mends

__all__ = ["PROVIDERS", "Mend", "Provider", "mends"]
