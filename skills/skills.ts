/** What the daemon knows of hosts and flows: notes, and what is told of them to whoever arrives. */
import { Advisor } from "./notes/advice.ts";
import { Notes, type NotesOptions } from "./notes/notes.ts";

export class Skills {
  readonly notes: Notes;
  readonly advisor: Advisor;

  constructor(options: NotesOptions) {
    this.notes = new Notes(options);
    this.advisor = new Advisor({ notes: this.notes, layers: options.layers, skillsFor: () => [] });
  }
}
