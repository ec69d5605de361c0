from __future__ import annotations

import pytest

from tests.helpers.parsed import headings, parsed, pieces, texts

PYTHON = "import os\n\nclass A(B):\n    x = 1\n\n    def f(self):\n        return 1\n\n# def no\n"


def test_classes_and_functions_are_headings() -> None:
    document = parsed(PYTHON, "a.py")

    assert document.document.text == PYTHON
    assert headings(document) == [(2, "class A(B):"), (3, "def f(self):")]
    assert texts(document, "code") == ["import os", "    x = 1", "        return 1\n\n# def no"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("static int add(int a, char *b)", "a.c"),
        ("void Pump::start(int rate) {", "a.cpp"),
        ("export default async function load(url) {", "a.js"),
        ("export interface Pump {", "a.ts"),
        ("public class Pump extends Machine {", "a.java"),
        ("    public static void main(String[] args) {", "a.java"),
        ("func (p *Pump) Start() error {", "a.go"),
        ("pub(crate) async fn start(&self) -> u32 {", "a.rs"),
        ("def start(rate)", "a.rb"),
        ("start() {", "a.sh"),
        ("CREATE TABLE pumps (", "a.sql"),
        ("  defp start(rate) do", "a.ex"),
    ],
)
def test_definitions_of_many_languages(line: str, name: str) -> None:
    assert [words for _, words in headings(parsed(f"x\n{line}\n  y\n", name))] == [line.strip()]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("  bar(a);", "a.c"),
        ("int add(int a);", "a.h"),
        ("return (x)", "a.c"),
        ("// class of things", "a.js"),
        ("x = function_of(y)", "a.py"),
        ("classes = []", "a.py"),
    ],
)
def test_statements_are_none(line: str, name: str) -> None:
    assert headings(parsed(f"x\n{line}\n", name)) == []


RST = """=====
Title
=====
:Author: Jo

Intro text
goes on.

Sec
---
- item one
  more
- item two

Code::

    x = 1

    # no heading
    -----------

.. code-block:: python
   :linenos:

   z = 3

.. note:: Mind this.

+---+---+
| a | b |
+===+===+
| 1 | 2 |
+---+---+

.. a comment
"""
ORG = """#+TITLE: My notes
#+AUTHOR: Jo
* TODO First :tag:
:PROPERTIES:
:ID: x
:END:
Words here
- a
  more
- b
#+BEGIN_SRC python
x = 1
* no heading
#+END_SRC
| a | b |
|---+---|
| 1 | 2 |
** Second
"""
ADOC = """= Title
:author: Jo

== Section
Words here
* item
----
code
== no heading
----
|===
| a | b

| 1 | 2
|===
"""
TEX = r"""\documentclass{article}
\title{The \emph{Title}}
\author{Jo}
\begin{document}
\maketitle
\section{One}\label{a}
Words here
go on.

% a comment
\begin{itemize}
\item a
more
\item b
\end{itemize}
\begin{verbatim}
\section{no heading}
\end{verbatim}
\begin{tabular}{ll}
a & b \\
1 & 2
\end{tabular}
\end{document}
"""


def test_restructured_text() -> None:
    document = parsed(RST, "a.rst")

    assert (document.kind, document.title) == ("rst", "Title")
    assert document.document.text == RST
    assert headings(document) == [(1, "Title"), (2, "Sec")]
    assert texts(document, "list_item") == ["- item one\n  more", "- item two"]
    assert texts(document, "code") == ["    x = 1\n\n    # no heading\n    -----------", "   z = 3"]
    table = next(block for block in document.blocks if block.header)
    assert table.header is not None
    assert "| a | b |" in RST[slice(*table.header)]
    assert "comment" not in "".join(text for _, text in pieces(document))


def test_org() -> None:
    document = parsed(ORG, "a.org")

    assert (document.kind, document.title) == ("org", "My notes")
    assert document.document.metadata["author"] == "Jo"
    assert pieces(document) == [
        ("heading", "First"),
        ("paragraph", "Words here"),
        ("list_item", "- a\n  more"),
        ("list_item", "- b"),
        ("code", "x = 1\n* no heading"),
        ("table", "| a | b |\n|---+---|\n| 1 | 2 |"),
        ("heading", "Second"),
    ]


def test_asciidoc() -> None:
    document = parsed(ADOC, "a.adoc")

    assert (document.kind, document.title) == ("adoc", "Title")
    assert pieces(document) == [
        ("heading", "Title"),
        ("heading", "Section"),
        ("paragraph", "Words here"),
        ("list_item", "* item"),
        ("code", "code\n== no heading"),
        ("table", "| a | b\n\n| 1 | 2"),
    ]


def test_latex() -> None:
    document = parsed(TEX, "a.tex")

    assert (document.kind, document.title) == ("tex", "The Title")
    assert document.document.text == TEX
    assert pieces(document) == [
        ("heading", "One"),
        ("paragraph", "Words here\ngo on."),
        ("list_item", "\\item a\nmore"),
        ("list_item", "\\item b"),
        ("code", "\\section{no heading}"),
        ("table", "a & b \\\\\n1 & 2"),
    ]


@pytest.mark.parametrize("name", ["a.rst", "a.org", "a.adoc", "a.tex", "a.py", "a.yaml", "a.toml"])
@pytest.mark.parametrize(
    "text", ["x", "\n\nx\r\ny\r\n", "|", "===", "::\n", "+--+\n", "# c\n", "%"]
)
def test_odd_texts_have_valid_blocks(name: str, text: str) -> None:
    document = parsed(text, name)

    assert document.document.text == text
    ends = [0]
    for block in document.blocks:
        assert ends[-1] <= block.start < block.end <= len(text)
        ends.append(block.end)
