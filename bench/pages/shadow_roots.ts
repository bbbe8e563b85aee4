import { documentShell } from "./document_shell.ts";

/** 50 custom elements, each with a field and a button in its open shadow root. */
export function shadowRootsPage(): string {
  return documentShell(
    "50 shadow roots",
    `<main><h1>Widgets</h1></main><script>
customElements.define("x-widget", class extends HTMLElement {
  connectedCallback() {
    const name = this.getAttribute("name");
    this.attachShadow({ mode: "open" }).innerHTML =
      "<p><label>Value " + name + " <input></label> <button type=button>Save " + name + "</button><slot></slot></p>";
  }
});
for (let n = 1; n <= 50; n++) {
  const widget = document.createElement("x-widget");
  widget.setAttribute("name", n);
  widget.textContent = "Widget " + n;
  document.querySelector("main").append(widget);
}
</script>`,
  );
}
