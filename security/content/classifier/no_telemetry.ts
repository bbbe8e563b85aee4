/**
 * onnxruntime reports to its maker from Linux and macOS, writes an id of the device, and leaves logs in the temporary folder, unless
 * its environment says no before it is loaded. Two versions of it ask for two names.
 */
const NAMES = ["ORT_DISABLE_TELEMETRY", "ORT_TELEMETRY_DISABLED"];

/** To be called in the main thread: that of a worker is a copy, which native code does not see. */
export function forbidTelemetry(): void {
  for (const name of NAMES) process.env[name] = "1";
}
