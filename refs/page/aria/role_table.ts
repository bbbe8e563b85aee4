/** Sets of ARIA roles, by what the reader does with them. Sources: WAI-ARIA 1.2, and 1.3 for `image` and `suggestion`. */

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Roles an author may give; abstract ones are not among them. */
export const VALID_ROLES = words(`
  alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
  complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell
  group heading img image insertion link list listbox listitem log main mark marquee math meter menu menubar menuitem
  menuitemcheckbox menuitemradio navigation none note option paragraph presentation progressbar radio radiogroup region
  row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion
  superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`);

/** Things a person operates. */
export const INTERACTIVE_ROLES = words(`
  button link textbox searchbox checkbox radio combobox listbox option menuitem menuitemcheckbox menuitemradio switch
  slider spinbutton tab treeitem`);

export const LANDMARK_ROLES = words(`
  banner complementary contentinfo form main navigation region search dialog alertdialog`);

/** Groups whose name tells their controls apart. */
export const GROUP_ROLES = words("group radiogroup toolbar tablist menu menubar tree grid treegrid tabpanel");

/** Ways to set words in a line, which says nothing of its own in a list of things. */
export const INLINE_ROLES = words("code emphasis mark strong subscript superscript time");

/** Named by what they contain. */
export const NAMED_FROM_CONTENT = words(`
  button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row
  rowheader switch tab tooltip treeitem`);

/** Give their content to the name of what contains them. */
export const NAMED_FROM_CONTENT_INSIDE = words(`
  caption code contentinfo definition deletion emphasis insertion list listitem mark none paragraph presentation region
  row rowgroup section strong subscript superscript table term time generic`);

/** Authors may not name these. */
export const NAME_PROHIBITED = words(`
  caption code definition deletion emphasis generic insertion mark paragraph presentation none strong subscript suggestion
  superscript term time`);

export const CHECKABLE_ROLES = words("checkbox menuitemcheckbox option radio switch menuitemradio treeitem");
export const SELECTABLE_ROLES = words("gridcell option row tab rowheader columnheader treeitem");
export const EXPANDABLE_ROLES = words(`
  application button checkbox combobox gridcell link listbox menuitem row rowheader tab treeitem columnheader
  menuitemcheckbox menuitemradio switch`);
export const DISABLEABLE_ROLES = words(`
  application button gridcell group link menuitem scrollbar separator tab checkbox columnheader combobox grid listbox menu
  menubar menuitemcheckbox menuitemradio option radio radiogroup row rowheader searchbox slider spinbutton switch tablist
  textbox toolbar tree treegrid treeitem`);
export const LEVEL_ROLES = words("heading listitem row treeitem");
export const INVALIDABLE_ROLES = words(`
  application checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox slider spinbutton switch
  textbox tree`);
export const REQUIRABLE_ROLES = words(`
  checkbox combobox gridcell listbox radiogroup searchbox slider spinbutton switch textbox tree treegrid`);
export const READONLY_ROLES = words(`
  checkbox combobox grid gridcell listbox radiogroup slider spinbutton textbox columnheader rowheader searchbox switch
  treegrid`);
