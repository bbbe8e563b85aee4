/** Lengths and sizes of paper, as print knows them. */
import { BrowseError } from "../../errors.ts";

/** Inches, upright but for ledger (ANSI/ASME Y14.1; ISO 216, which counts millimetres). */
export const PAPER = {
  letter: { width: 8.5, height: 11 },
  legal: { width: 8.5, height: 14 },
  tabloid: { width: 11, height: 17 },
  ledger: { width: 17, height: 11 },
  a0: iso(841, 1189),
  a1: iso(594, 841),
  a2: iso(420, 594),
  a3: iso(297, 420),
  a4: iso(210, 297),
  a5: iso(148, 210),
  a6: iso(105, 148),
} as const;

function iso(widthMm: number, heightMm: number): { width: number; height: number } {
  return { width: widthMm / 25.4, height: heightMm / 25.4 };
}

export type PaperName = keyof typeof PAPER;

/** A number with its unit; without one it is CSS pixels. */
export const LENGTH = /^(\d+(?:\.\d+)?|\.\d+)(px|in|cm|mm)?$/;

const PER_INCH = { px: 96, in: 1, cm: 2.54, mm: 25.4 } as const;

/** Throws `invalid_params` for what is no length. */
export function inches(length: string): number {
  const [, number, unit = "px"] = LENGTH.exec(length) ?? [];
  if (number === undefined)
    throw new BrowseError("invalid_params", `"${length}" is not a length such as 10mm, 1in or 96px`);
  return Number(number) / PER_INCH[unit as keyof typeof PER_INCH];
}
