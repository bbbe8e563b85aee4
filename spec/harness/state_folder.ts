/** A state folder in which a test says which daemon runs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { identityOf } from "../../security/process/process_identity.ts";
import type { FakeDaemon } from "./fake_daemon.ts";

/** It is this process's, until it is removed. */
export class StateFolder {
  readonly path = mkdtempSync(join(tmpdir(), "browse-sdk-"));

  constructor() {
    vi.stubEnv("BROWSE_STATE_DIR", this.path);
  }

  runs({ port, token }: FakeDaemon): void {
    this.write({ ...identityOf(process.pid), port, token });
  }

  write(state: object, mode = 0o600): void {
    writeFileSync(join(this.path, "daemon.json"), JSON.stringify(state), { mode });
  }

  remove(): void {
    vi.unstubAllEnvs();
    rmSync(this.path, { recursive: true });
  }
}
