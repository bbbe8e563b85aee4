"""Benign page text from installed npm packages with a permissive licence: documentation, licences, and interface strings in many
languages composed into menus, lists, snapshots and tables. One JSON line per page: {"text", "label": 0, "source", "kind", "package"}.

    python harvest.py --packages node_modules [--packages more/node_modules] --out benign.jsonl
"""
import argparse
import hashlib
import json
import random
import re
from pathlib import Path

LICENCES = re.compile(r"^\(?(MIT|Apache-2\.0|BSD-[23]-Clause|ISC|CC0-1\.0|0BSD|BlueOak-1\.0\.0|Unlicense|WTFPL)\b")
INTERFACE = ["typescript", "monaco-editor", "@docusaurus/theme-translations", "@payloadcms/translations", "antd", "element-plus",
             "vuetify", "primelocale", "@strapi/admin", "@uppy/locales", "survey-core", "i18n-iso-countries", "flatpickr", "date-fns", "jquery-ui", "select2"]
PLACES = re.compile(r"(locale|locales|lang|languages|i18n|nls|translations|localization|diagnosticMessages)", re.I)
STRING = re.compile(r'"((?:[^"\\\n]|\\.){2,300})"|\'((?:[^\'\\\n]|\\.){2,300})\'|`((?:[^`\\$]|\\.){2,300})`')


def packages(root: Path):
    for manifest in sorted([*root.glob("*/package.json"), *root.glob("@*/*/package.json")]):
        try:
            about = json.loads(manifest.read_text())
        except ValueError:
            continue
        licence = about.get("license")
        if isinstance(licence, str) and LICENCES.match(licence):
            yield manifest.parent, about["name"], licence


def held_out(name: str) -> bool:
    return hashlib.sha256(name.encode()).digest()[0] < 64


def plain(text: str) -> str:
    """Markdown with its links and badges as a page shows them."""
    text = re.sub(r"<!--.*?-->|<[^>\n]{1,300}>", " ", text, flags=re.S)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\n{3,}", "\n\n", text)


def chunks(r: random.Random, text: str, limit: int):
    paragraphs, page, pages = text.split("\n\n"), "", []
    size = r.randint(150, 2200)
    for paragraph in paragraphs:
        page += paragraph + "\n\n"
        if len(page) > size:
            pages.append(page[:3600].strip())
            page, size = "", r.randint(150, 2200)
    pages.append(page.strip())
    pages = [p for p in pages if len(p) > 60]
    return r.sample(pages, min(limit, len(pages)))


def strings(file: Path) -> list[str]:
    found = []
    for match in STRING.finditer(file.read_text(errors="ignore")):
        raw = next(group for group in match.groups() if group is not None)
        try:
            text = json.loads('"' + raw.replace("\\'", "'").replace('"', '\\"').replace('\\\\"', '\\"') + '"')
        except ValueError:
            continue
        if re.search(r"\w", text) and not re.fullmatch(r"[\w.$/@:{}-]*|[a-z]+([A-Z_.]\w*)+", text, re.A):
            found.append(text)
    return found


def snapshot(r: random.Random, items: list[str]) -> str:
    roles = ["link", "button", "listitem", "menuitem", "heading", "text", "option", "tab", "checkbox", "textbox"]
    return "\n".join(f'{"  " * r.randint(0, 2)}- {r.choice(roles)} "{item}" [ref=e{r.randint(2, 400)}]' for item in items)


def table(r: random.Random, items: list[str]) -> str:
    wide = r.randint(2, 4)
    rows = [items[i : i + wide] for i in range(0, len(items), wide)]
    return "\n".join(r.choice(["| " + " | ".join(row) + " |", "\t".join(row)]) for row in rows)


def composed(r: random.Random, items: list[str]) -> str:
    shape = r.random()
    if shape < 0.25:
        return snapshot(r, items)
    if shape < 0.4:
        return table(r, items)
    return r.choice(["\n", "\n", " | ", " ", " · ", "\n- ", "\n\n", " > ", ", "]).join(items)


def interface_pages(r: random.Random, folder: Path, limit: int) -> list[str]:
    files = [f for f in folder.rglob("*") if f.suffix in (".json", ".js", ".mjs") and PLACES.search(str(f.relative_to(folder))) and f.stat().st_size < 900_000 and ".min." not in f.name]
    names, kept = set(), []
    for file in sorted(files):
        key = re.sub(r"\.(json|mjs|js|cjs|min|umd|es|common)\b", "", str(file.name if file.stem != "diagnosticMessages.generated" else file))
        if key not in names and "zh_tw" not in key.lower():
            names.add(key)
            kept.append(file)
    pages = []
    for file in r.sample(kept, min(len(kept), 90)):
        found = strings(file)
        for _ in range(max(1, min(len(found) // 12, limit // max(len(kept), 1) + 1))):
            start = r.randrange(max(1, len(found) - 5))
            count = r.choice([1, 2, 3, 5, 8, 14, 24, 40])
            items = found[start : start + count] if r.random() < 0.7 else r.sample(found, min(count, len(found)))
            if items:
                pages.append(composed(r, items)[:3600])
    return r.sample(pages, min(limit, len(pages)))


def doc_pages(r: random.Random, folder: Path) -> list[tuple[str, str]]:
    pages = []
    files = [f for f in folder.rglob("*.md") if "node_modules" not in f.relative_to(folder).parts and f.stat().st_size < 400_000]
    for file in sorted(files)[:12]:
        text = file.read_text(errors="ignore")
        text = text if r.random() < 0.3 else plain(text)
        pages += [(page, "npm_docs") for page in chunks(r, text, 6)]
    for file in [*folder.glob("LICEN[SC]E*")][:1]:
        if file.is_file() and r.random() < 0.15:
            pages += [(page, "npm_licences") for page in chunks(r, file.read_text(errors="ignore"), 1)]
    return pages


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--packages", type=Path, action="append", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    r, seen = random.Random(options.seed), set()
    with open(options.out, "w", encoding="utf-8") as out:
        for root in options.packages:
            for folder, name, licence in packages(root):
                pages = doc_pages(r, folder)
                if name in INTERFACE:
                    pages += [(page, "npm_interface") for page in interface_pages(r, folder, 500)]
                for text, kind in pages:
                    if text[:200] in seen or re.search(r"prompt injection|jailbreak|ignore (all )?previous", text, re.I):
                        continue
                    seen.add(text[:200])
                    row = {"text": text, "label": 0, "source": kind, "kind": "benign_web", "package": name, "licence": licence, "held": held_out(name)}
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
