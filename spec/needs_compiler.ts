/** Leaves out the tests of the native client where it could not be built. */
import { beforeEach } from "vitest";
import { isNativeBuilt } from "./harness/client.ts";

beforeEach((context) => {
  if (!isNativeBuilt) context.skip("the native client needs a C compiler, and there is none");
});
