/** Names of network failures (Chromium's net_error_list.h) as they read best after "Cannot load …:". */

import { refusalForAll } from "../../security/urls/url_policy.ts";
import type { FailedFrame } from "../effect_report.ts";

const TLS = "the server and the browser find no way to talk TLS with each other; does the address mean http://?";
const CERTIFICATE = "its certificate is not trusted";
const BROKEN_HEADERS = "the headers of its answer contradict themselves";
const CUT = "the server cut the connection";
const PROXY = "the proxy could not be reached";

const NETWORK: Readonly<Record<string, string>> = {
  ERR_ABORTED: "the load was broken off",
  ERR_ACCESS_DENIED: "the system does not let the browser open it",
  ERR_ADDRESS_INVALID: "it is not the address of a machine",
  ERR_ADDRESS_UNREACHABLE: "no way leads to the server's address",
  ERR_BAD_SSL_CLIENT_AUTH_CERT: "the server does not take the client's certificate",
  ERR_BLOCKED_BY_ADMINISTRATOR: "the machine's policy for browsers blocks it",
  ERR_BLOCKED_BY_CLIENT: "it was blocked in the browser",
  ERR_BLOCKED_BY_CSP: "a content security policy blocks it",
  ERR_BLOCKED_BY_RESPONSE: "the server does not let it be shown here",
  ERR_CACHE_MISS: "it was the answer to a form, which is not sent again by itself",
  ERR_CERT_AUTHORITY_INVALID: CERTIFICATE,
  ERR_CERT_COMMON_NAME_INVALID: "its certificate is for another host",
  ERR_CERT_DATE_INVALID: "its certificate has expired, or is not valid yet",
  ERR_CERT_INVALID: "its certificate is malformed",
  ERR_CERT_REVOKED: "its certificate has been revoked",
  ERR_CERT_WEAK_KEY: "the key of its certificate is too weak",
  ERR_CERT_WEAK_SIGNATURE_ALGORITHM: "its certificate is signed by a method that is too weak",
  ERR_CERTIFICATE_TRANSPARENCY_REQUIRED: CERTIFICATE,
  ERR_CONNECTION_ABORTED: "the connection was broken off",
  ERR_CONNECTION_CLOSED: CUT,
  ERR_CONNECTION_FAILED: "the server could not be reached",
  ERR_CONNECTION_REFUSED: "the server refused the connection",
  ERR_CONNECTION_RESET: CUT,
  ERR_CONNECTION_TIMED_OUT: "the server did not answer",
  ERR_CONTENT_DECODING_FAILED: "its content is not encoded the way its headers say",
  ERR_CONTENT_DECODING_INIT_FAILED: "its content is not encoded the way its headers say",
  ERR_CONTENT_LENGTH_MISMATCH: "the server closed the connection before all of it had come",
  ERR_DNS_MALFORMED_RESPONSE: "the name server's answer is malformed",
  ERR_DNS_SERVER_FAILED: "the name server does not answer",
  ERR_DNS_TIMED_OUT: "the name server does not answer",
  ERR_EMPTY_RESPONSE: "the server sent nothing",
  ERR_FAILED: "the load failed for a reason that the browser does not tell",
  ERR_FILE_NOT_FOUND: "there is no such file",
  ERR_HTTP2_PROTOCOL_ERROR: "the server breaks the rules of HTTP/2",
  ERR_HTTP_RESPONSE_CODE_FAILURE: "the server answered with an error status and no page",
  ERR_INCOMPLETE_CHUNKED_ENCODING: "the server closed the connection before all of it had come",
  ERR_INSUFFICIENT_RESOURCES: "the browser has run out of memory or of open files",
  ERR_INTERNET_DISCONNECTED: "there is no network",
  ERR_INVALID_AUTH_CREDENTIALS: "the server does not take the user name and password",
  ERR_INVALID_CHUNKED_ENCODING: "the server breaks the rules of HTTP",
  ERR_INVALID_HTTP_RESPONSE: "what answers there does not speak HTTP",
  ERR_INVALID_REDIRECT: "it redirects to something that is not an address",
  ERR_INVALID_RESPONSE: "the server's answer is malformed",
  ERR_INVALID_URL: "it is not an address",
  ERR_MANDATORY_PROXY_CONFIGURATION_FAILED: "the settings of the proxy could not be read",
  ERR_NAME_NOT_RESOLVED: "the host name is unknown",
  ERR_NAME_RESOLUTION_FAILED: "the host name could not be looked up",
  ERR_NETWORK_ACCESS_DENIED: "the system does not let the browser use the network",
  ERR_NETWORK_CHANGED: "the machine's network changed meanwhile",
  ERR_NETWORK_IO_SUSPENDED: "the machine was asleep",
  ERR_OUT_OF_MEMORY: "the browser has run out of memory",
  ERR_PROXY_AUTH_UNSUPPORTED: "the proxy asks for a kind of login that the browser does not know",
  ERR_PROXY_CERTIFICATE_INVALID: "the proxy's certificate is not trusted",
  ERR_PROXY_CONNECTION_FAILED: PROXY,
  ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_DISPOSITION: BROKEN_HEADERS,
  ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH: BROKEN_HEADERS,
  ERR_RESPONSE_HEADERS_MULTIPLE_LOCATION: BROKEN_HEADERS,
  ERR_RESPONSE_HEADERS_TOO_BIG: "the headers of its answer are too big",
  ERR_RESPONSE_HEADERS_TRUNCATED: "the server closed the connection within the headers of its answer",
  ERR_SOCKET_NOT_CONNECTED: CUT,
  ERR_SOCKS_CONNECTION_FAILED: PROXY,
  ERR_SOCKS_CONNECTION_HOST_UNREACHABLE: "the proxy could not reach the host",
  ERR_SSL_CLIENT_AUTH_CERT_NEEDED: "the server asks for a client certificate",
  ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN: CERTIFICATE,
  ERR_SSL_PROTOCOL_ERROR: TLS,
  ERR_SSL_SERVER_CERT_BAD_FORMAT: "its certificate is malformed",
  ERR_SSL_UNRECOGNIZED_NAME_ALERT: "the server does not know the host name",
  ERR_SSL_VERSION_OR_CIPHER_MISMATCH: TLS,
  ERR_TIMED_OUT: "the server did not answer",
  ERR_TOO_MANY_REDIRECTS: "it redirects in a circle",
  ERR_TOO_MANY_RETRIES: "the server has the browser ask again and again",
  ERR_TUNNEL_CONNECTION_FAILED: "the proxy could not reach the host",
  ERR_UNEXPECTED_PROXY_AUTH: "the server asks for the login of a proxy",
  ERR_UNKNOWN_URL_SCHEME: "browsers do not load that kind of address",
  ERR_UNSAFE_PORT: "browsers do not use that port, which belongs to another protocol",
  ERR_UNSAFE_REDIRECT: "it redirects to where a page may not lead",
};

/** What is not in the table keeps its name, which can be looked up. */
export function networkFault(code: string): string {
  return NETWORK[code] ?? code;
}

/** The same of a load. Hosts that nobody may reach do not exist for the browser. */
export function loadFault({ url, network }: { url: string; network: string }): string {
  const refusal = network === "ERR_NAME_NOT_RESOLVED" ? refusalForAll(url) : undefined;
  return refusal ?? networkFault(network);
}

/** The same of a frame's document, which may have been answered with an error status. */
export function frameFault({ url, status, network }: FailedFrame): string {
  return network === undefined ? `the server answered with ${status}` : loadFault({ url, network });
}

/** Rules kept it from its server, or no connection came about that it could have been sent on. */
const UNSENT =
  /ERR_(?:BLOCKED|ACCESS_DENIED|UNSAFE_PORT|NAME_|ADDRESS_|CERT_|INTERNET_DISCONNECTED|CONNECTION_(?:REFUSED|TIMED_OUT)|PROXY_CONNECTION)/;

/** Has nothing of a request reached a server that failed so? */
export function isUnsent(failure: string): boolean {
  return UNSENT.test(failure);
}
