"""Documents as .cadena files: JSON, one node per line, that reads well in a diff; read with care, saved atomically."""

from core.storage.decoding import decode
from core.storage.encoding import encode
from core.storage.files import contents, document_in, load, read, save, write

__all__ = ["contents", "decode", "document_in", "encode", "load", "read", "save", "write"]
