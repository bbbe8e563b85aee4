/** What the daemon knows of flows and hosts: skills, notes, and what is told of them to whoever arrives. */
import { Advisor } from "./notes/advice.ts";
import { Notes, type NotesOptions } from "./notes/notes.ts";
import { SkillStore } from "./store/skill_store.ts";
import { type SkillEvent, SkillWatch } from "./store/skill_watch.ts";

interface SkillsOptions extends NotesOptions {
  publish: (event: SkillEvent) => void;
  onTrouble: (message: string, cause: unknown) => void;
}

export class Skills {
  readonly store: SkillStore;
  readonly notes: Notes;
  readonly advisor: Advisor;
  /** Begins when it is started. */
  readonly watch: SkillWatch;

  constructor(options: SkillsOptions) {
    const { publish, onTrouble } = options;
    this.store = new SkillStore(options);
    this.notes = new Notes(options);
    this.advisor = new Advisor({ store: this.store, notes: this.notes, layers: options.layers });
    const onError = (error: unknown) => onTrouble("Changes of skills are not noticed", error);
    this.watch = new SkillWatch({ folders: this.store.folders, publish, onError });
  }
}
