/** Whole tasks as an agent has them: what is to be done, by the names that a person would say, and what is to be learned. */

export interface Target {
  role: RegExp;
  name: RegExp;
  /** Text of the row or card that it is in, where several have the name. */
  within?: RegExp;
}

export interface Step {
  do: "click" | "fill" | "choose" | "drag" | "read";
  /** Absent where the task is only to read. */
  on?: Target;
  /** What is filled in or chosen. */
  value?: string;
  /** Where it is dragged. */
  to?: Target;
  /** What has to be known before the next step. */
  sees?: RegExp;
  /** It leads to another page, as whoever presses it knows. */
  leads?: boolean;
  /** The list is no `<select>`. */
  isCustom?: boolean;
}

export interface Task {
  name: string;
  /** Path on the tasks' site. */
  path: string;
  steps: readonly Step[];
}

export function button(name: RegExp, within?: RegExp): Target {
  return {
    role: /button|cursor:pointer|delegated|clickable|generic|listitem|menuitem|tab|link/,
    name,
    ...(within && { within }),
  };
}

export function field(name: RegExp): Target {
  return { role: /textbox|searchbox|spinbutton|combobox|listbox|Date/, name };
}

export function listBox(name: RegExp): Target {
  return { role: /combobox|listbox|button|textbox|searchbox/, name };
}

/** What is dragged, and where to. */
export function part(name: RegExp): Target {
  return { role: /listitem|list|cursor:pointer|clickable|generic|button/, name };
}
