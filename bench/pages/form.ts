import { documentShell, repeat } from "./document_shell.ts";

/** A sign-up form with every common field, and a button that counts its presses. */
export function formPage(): string {
  return documentShell(
    "Sign up",
    `<header><nav aria-label="Main"><a href="/form">Home</a> <a href="/links">Links</a></nav></header>
<main><h1>Sign up</h1>
<form onsubmit="event.preventDefault()">
<p><label>Name <input name="name" required></label></p>
<p><label>Email <input name="email" type="email" placeholder="you@example.com"></label></p>
<p><label>Password <input name="password" type="password"></label></p>
<p><label for="country">Country</label> <select id="country">${repeat(20, (n) => `<option>Country ${n}</option>`)}</select></p>
<fieldset><legend>Plan</legend>${["Free", "Team", "Company"].map((plan) => `<label><input type="radio" name="plan">${plan}</label>`).join("")}</fieldset>
<p><label><input type="checkbox"> I agree to the terms</label></p>
<p><label>About you <textarea rows="4"></textarea></label></p>
<p><label>Born on <input type="date"></label> <label>Size <input type="range" min="1" max="9"></label></p>
<p><button type="button" id="count" onclick="this.dataset.count = Number(this.dataset.count || 0) + 1">Count</button>
<button type="submit">Sign up</button></p>
</form></main>`,
  );
}
