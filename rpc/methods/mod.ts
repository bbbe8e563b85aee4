/** Every method of the protocol, imported for its registration. */
import "./session_hello.ts";
import "./cli_exec.ts";
import "./cli_complete.ts";
import "./events_subscribe.ts";
import "./events_unsubscribe.ts";
import "./events_history.ts";
import "./call_cancel.ts";
import "./rpc_discover.ts";
import "./daemon_handover.ts";
