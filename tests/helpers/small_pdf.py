"""PDF files of a few lines, written by hand so that no library is needed."""

from __future__ import annotations

from collections.abc import Sequence


def small_pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """Return a PDF with these lines of ASCII text on its pages, in Helvetica 12."""
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>"
        )
        stream = _drawn(lines)
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    return _file(objects)


def _drawn(lines: Sequence[str]) -> str:
    escaped = (line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in lines)
    shown = "\n".join(f"({line}) Tj T*" for line in escaped)
    return f"BT /F1 12 Tf 16 TL 72 760 Td\n{shown}\nET"


def _file(objects: Sequence[str]) -> bytes:
    data, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("ascii")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    end = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    )
    return data + end.encode("ascii")
