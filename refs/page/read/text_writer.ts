/** Puts pieces of text together the way lines and cells are drawn. */

/** Glyphs of icon fonts: private use, no text. */
const ICONS = /[\ue000-\uf8ff]/g;

export class TextWriter {
  #text = "";
  /** Line breaks that the text ends with now. */
  #present = 0;
  #endsInSpace = false;
  /** Line breaks due before the next text. */
  #breaks = 0;
  #space = false;
  #tab = false;
  /** Where the last link ended. */
  #linkEnd = -1;
  #cells = 0;

  /** Where the next text will stand, its line breaks not counted. */
  get length(): number {
    return this.#text.length;
  }

  /** The character that the next text will stand beside; a space at the beginning of a word, line or cell. */
  get before(): string {
    return this.#space || this.#tab || this.#breaks > 0 || this.#text === "" ? " " : this.#text.slice(-1);
  }

  /** Text whose white space folds. */
  add(content: string): void {
    const folded = content
      .replace(/[\u200b\u00ad]/g, "")
      .replace(ICONS, "")
      .replace(/[ \t\n\r\f]+/g, " ");
    if (folded.startsWith(" ")) this.space();
    const trimmed = folded.trim();
    if (trimmed === "") return;
    this.#flush();
    this.#append(trimmed);
    this.#space = folded.endsWith(" ");
  }

  /** Text whose lines and spaces are drawn as they are. */
  preserve(content: string): void {
    this.#flush();
    this.#append(content.replace(/\r\n?/g, "\n"));
  }

  /** At least one space before what follows. */
  space(): void {
    this.#space = true;
  }

  /** Two links are two things to press, however close they stand. */
  beginLink(): void {
    if (this.#linkEnd === this.#text.length) this.space();
  }

  endLink(): void {
    this.#linkEnd = this.#text.length;
  }

  /** One line ends here, empty or not. */
  newline(): void {
    this.#flush();
    this.#append("\n");
  }

  /** What follows stands at least so many lines lower. */
  breakLines(count: number): void {
    this.#breaks = Math.max(this.#breaks, count);
  }

  beginRow(): void {
    this.#cells = 0;
  }

  beginCell(): void {
    if (this.#cells++ > 0) {
      this.#tab = true;
      this.#breaks = 0;
    }
  }

  /** Breaks at a cell's end don't reach into the next. */
  endCell(): void {
    if (!this.#tab) this.#breaks = 0;
  }

  finish(): string {
    return this.#text.replace(/[ ]+\n/g, "\n").trim();
  }

  #flush(): void {
    if (this.#tab) this.#append("\t");
    else if (this.#text !== "") {
      if (this.#breaks > this.#present) this.#append("\n".repeat(this.#breaks - this.#present));
      else if (this.#breaks === 0 && this.#space && !this.#endsInSpace) this.#append(" ");
    }
    this.#tab = false;
    this.#breaks = 0;
    this.#space = false;
  }

  #append(piece: string): void {
    this.#text += piece;
    const breaks = /\n*$/.exec(piece)?.[0].length ?? 0;
    this.#present = breaks === piece.length ? this.#present + breaks : breaks;
    this.#endsInSpace = /\s$/.test(piece);
  }
}
