"""What the checks of documents share: rows of tables, and whether what they name exists."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def rows(text):
    """(line number, cells) of every table row below a heading."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if set("".join(cells)) <= set("-: "):
            inside = True
        elif inside:
            yield number, cells


def names(cell):
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def has_item(path, name):
    """Whether a Rust file has a function, type, trait, constant or module of that name."""
    return re.search(rf"\b(?:fn|struct|enum|trait|const|mod) {re.escape(name)}\b", path.read_text()) is not None


def has_test(path, name):
    """Whether a file of Rust or Python has a test of that name that is run."""
    text = path.read_text()
    if path.suffix == ".py":
        return name.startswith("test_") and re.search(rf"^\s*def {re.escape(name)}\(", text, re.MULTILINE) is not None
    # Attributes, and in property tests a doc comment, may stand between the marker and the function.
    marker = r"((?:#\[[^\]]*\]\s*)*)#\[test\]\s*((?:(?:#\[[^\]]*\]|//[^\n]*)\s*)*)"
    found = re.search(rf"{marker}fn {re.escape(name)}\b", text)
    return found is not None and "#[ignore" not in found.group(1) + found.group(2)


def conclude(document, problems, count, done):
    """Tells what is wrong with a document and ends with a failure, or says what is right."""
    for problem in problems:
        print(f"{document.relative_to(ROOT)}: {problem}", file=sys.stderr)
    if problems or count == 0:
        sys.exit(f"{len(problems)} problems in {count} rows")
    print(f"{count} {done}")
