/** Logical properties as the physical ones that they set: in the cascade both are one (CSS Logical Properties 1, 4.1). */

type Side = "top" | "right" | "bottom" | "left";

/** How an element's text runs, by its computed style. */
export interface WritingDirection {
  writingMode: string;
  direction: string;
}

/** `margin-inline-start` as `margin-left`; a name that is physical already as it is. */
export function physicalName(name: string, writing: WritingDirection): string {
  const sides = sidesOf(writing);
  const side = (axis: string | undefined, end: string | undefined): Side => {
    const [start, last] = axis === "block" ? sides.block : sides.inline;
    return end === "start" ? start : last;
  };
  const edge =
    /^(?:(margin|padding|scroll-margin|scroll-padding|inset|border)-)(block|inline)-(start|end)(-width|-style|-color)?$/;
  const [, box, edgeAxis, edgeEnd, part = ""] = edge.exec(name) ?? [];
  if (box === "inset") return side(edgeAxis, edgeEnd);
  if (box) return `${box}-${side(edgeAxis, edgeEnd)}${part}`;
  const [, blockEnd, inlineEnd] = /^border-(start|end)-(start|end)-radius$/.exec(name) ?? [];
  if (blockEnd) return cornerName(side("block", blockEnd), side("inline", inlineEnd));
  const [, before = "", axis, size] =
    /^(min-|max-|contain-intrinsic-|overflow-|overscroll-behavior-)?(block|inline)(-size)?$/.exec(name) ?? [];
  if (!axis) return name;
  const isHorizontal = (axis === "inline") === sides.isHorizontal;
  if (size) return `${before}${isHorizontal ? "width" : "height"}`;
  return `${before}${isHorizontal ? "x" : "y"}`;
}

function cornerName(one: Side, other: Side): string {
  const [vertical, horizontal] = one === "top" || one === "bottom" ? [one, other] : [other, one];
  return `border-${vertical}-${horizontal}-radius`;
}

interface Sides {
  /** Start and end of the axis along which lines follow each other. */
  block: readonly [Side, Side];
  /** Start and end of the axis along which text runs. */
  inline: readonly [Side, Side];
  isHorizontal: boolean;
}

function sidesOf({ writingMode, direction }: WritingDirection): Sides {
  const isHorizontal = !/^(vertical|sideways)/.test(writingMode);
  const forwards: readonly [Side, Side] = isHorizontal ? ["left", "right"] : ["top", "bottom"];
  const isForwards = (direction !== "rtl") === (writingMode !== "sideways-lr");
  return {
    block: isHorizontal ? ["top", "bottom"] : writingMode.endsWith("-lr") ? ["left", "right"] : ["right", "left"],
    inline: isForwards ? forwards : [forwards[1], forwards[0]],
    isHorizontal,
  };
}
