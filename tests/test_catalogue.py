"""Translated sentences: none is missing, none is obsolete, and each has the same placeholders."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import catalogue
from tests.test_house import modules, parse, wrong_in

PLACES = re.compile(r"\{(\w+)[^{}]*\}")
AGAIN = "python -m tests.catalogue brings the catalogues up to date"
SAY = {"tr", "plural"}


@pytest.fixture(scope="module")
def said() -> dict[catalogue.Id, list[str]]:
    return catalogue.extracted()


@pytest.mark.parametrize("code", catalogue.languages())
def test_no_sentence_is_missing_and_none_is_left_over(
    code: str, said: dict[catalogue.Id, list[str]]
) -> None:
    found = catalogue.catalogue(code)
    assert {message.id for message in found if message.id} == set(said), AGAIN
    missing = [message.id for message in found if message.id and not catalogue.translated(message)]
    assert missing == []
    assert not any(message.fuzzy for message in found if message.id)


@pytest.mark.parametrize("code", catalogue.languages())
def test_a_translation_has_the_places_of_its_sentence(code: str) -> None:
    wrong = [
        (message.id, form)
        for message in catalogue.catalogue(code)
        if message.id
        for form in forms(message.string or ())
        if places(form) != places(forms(message.id)[-1])
    ]
    assert wrong == []


@pytest.mark.parametrize("code", catalogue.languages())
def test_blanks_at_the_ends_of_a_sentence_are_kept(code: str) -> None:
    wrong = [
        (message.id, form)
        for message in catalogue.catalogue(code)
        if message.id
        for form in forms(message.string or ())
        if ends(form) != ends(forms(message.id)[0])
    ]
    assert wrong == []


@pytest.mark.parametrize("code", catalogue.languages())
def test_what_is_compiled_is_what_is_written(code: str) -> None:
    path = catalogue.source(code)
    found = catalogue.catalogue(code)
    assert path.with_suffix(".mo").read_bytes() == catalogue.compiled(found), AGAIN


def test_sentences_are_said_when_there_is_somebody_to_read_them() -> None:
    """Check that sentences made at import are only marked, because no language is chosen yet."""

    def early(path: Path) -> list[str]:
        return [ast.unparse(node) for node in at_import(parse(path)) if name_of(node) in SAY]

    assert wrong_in(modules(), early) == {}


def forms(message: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [message] if isinstance(message, str) else [form for form in message or () if form]


def places(text: str) -> set[str]:
    return set(PLACES.findall(text))


def ends(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield every node that runs while the module is imported."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for early in (*node.decorator_list, *node.args.defaults):
                yield from (early, *ast.walk(early))
        elif not isinstance(node, ast.Lambda):
            yield node
            yield from at_import(node)


def name_of(node: ast.AST) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
