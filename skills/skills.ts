/** What the daemon knows of hosts and flows: notes, and what is told of them to whoever arrives. */
import { Advisor } from "./notes/advice.ts";
import { Notes, type NotesOptions } from "./notes/notes.ts";
import { SkillStore } from "./store/skill_store.ts";

export class Skills {
  readonly store: SkillStore;
  readonly notes: Notes;
  readonly advisor: Advisor;

  constructor(options: NotesOptions) {
    this.store = new SkillStore(options);
    this.notes = new Notes(options);
    this.advisor = new Advisor({ store: this.store, notes: this.notes, layers: options.layers });
  }
}
