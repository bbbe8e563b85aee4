/** Addresses that a browser shows something for, and those that it would hand to another program. */

/** `mailto:`, `tel:` and the like lead nowhere and open no tab: there is no program that it hands them to. */
export function isForOtherProgram(url: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(url) && !SHOWN.test(url);
}

const SHOWN =
  /^(?:https?|wss?|ftp|file|filesystem|data|blob|about|javascript|chrome|chrome-[a-z]+|devtools|view-source):/i;
