/**
 * What text that is written to steer an agent says, by what it does. Each pattern is looked for by its head, and the rest of it in
 * the characters that follow, so that no text makes it take more than its length.
 */

export const STEERS = [
  "marker",
  "override",
  "addressed",
  "secrecy",
  "task",
  "extraction",
  "pressure",
  "boundary",
  "host",
] as const;
/** What a pattern does; several of one kind count once. */
export type Steer = (typeof STEERS)[number];

export interface SteeringPattern {
  steer: Steer;
  /** With the flag `g`. */
  head: RegExp;
  /** All of these follow in the same sentence, within `REACH` characters from where the head begins. */
  near?: readonly RegExp[];
}

/** How far what belongs together may be apart. Characters. */
export const REACH = 110;

/** How much each weighs by itself: none is enough to log more than that it is there, three are a warning. */
export const WEIGHTS: Readonly<Record<Steer, number>> = {
  marker: 0.45,
  override: 0.48,
  addressed: 0.4,
  secrecy: 0.45,
  task: 0.4,
  extraction: 0.42,
  pressure: 0.4,
  boundary: 0.3,
  host: 0.5,
};

const MARKERS =
  /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|eot_id|start_header_id)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|instructions?|system_prompt)>|^[ \t]{0,8}#{2,4} {0,2}(?:system|instructions?|assistant|new instructions?)\b[ \t]{0,3}:|"role"\s{0,3}:\s{0,3}"system"/gim;

/** `ignore all previous instructions` in English; the words stand in this order in most languages. */
const OVERRIDE_EN: SteeringPattern = {
  steer: "override",
  head: /\b(?:ignor(?:e|ing)|disregard|forget|neglect|overlook|pay no attention to|never mind|bypass|overrid(?:e|es|ing)|omit|skip|discard|(?:do not|don['’]?t) (?:follow|obey))\b/gi,
  near: [
    /\b(?:previous|prior|above|preceding|foregoing|earlier|initial|former|all|any|every|everything|your|existing|default|other)\b/i,
    /\b(?:instructions?|prompts?|rules|guidelines?|directions?|commands?|directives?|orders|assignments?|requests?|messages? (?:above|so far)|(?:previous|prior|preceding|foregoing|earlier|above) (?:message|text|input|content|context|conversation)s?|everything (?:above|the user|you))\b/i,
  ],
};

const OBSOLETE_EN: SteeringPattern = {
  steer: "override",
  head: /\b(?:(?:your|all|any|the) (?:earlier|previous|prior|original|old|other) (?:instructions?|rules|guidelines|task|orders)|everything (?:above|before this)|the (?:text|section) above) (?:is|are|was|were) (?:now )?(?:obsolete|void|cancel|outdated|replaced|revoked|superseded|invalid|a (?:decoy|test)|only a test|(?:just )?sample)/gi,
};

/** Head and what follows it: verb and object, or object and verb, as the language has it. */
const OVERRIDES: readonly (readonly [head: RegExp, near: RegExp])[] = [
  [
    /(?:ignorier|vergiss|vergesst|vergessen sie|missachte)/giu,
    /(?:anweisung|anleitung|vorgabe|befehl|instruktion|regeln)/iu,
  ],
  [
    /(?:ignor(?:e[zr]?|er)|oublie[zr]?|ne tenez pas compte)(?!\p{L})/giu,
    /(?:instructions|consignes|directives|règles|ordres) (?:\S{1,12} )?(?:précéd|antérieur|ci-dessus|initial)/iu,
  ],
  [/(?:ignor[ae]n?|olvid[ae]n?|omit[ae]|descart[ae])(?!\p{L})/giu, /(?:instrucciones|indicaciones|órdenes|reglas)/iu],
  [/(?:ignor[ae]|esque[çc][ae]|desconsider[ae])(?!\p{L})/giu, /(?:instruções|instrucoes|ordens|regras)/iu],
  [
    /(?:ignor[ai](?:te)?|dimentica(?:te)?|trascura)(?!\p{L})/giu,
    /(?:istruzioni|comandi|regole) (?:\S{1,12} )?(?:precedent|sopra|anterior)/iu,
  ],
  [/(?:negeer|vergeet)(?!\p{L})/giu, /(?:instructies|opdrachten|aanwijzingen|regels)/iu],
  [/(?:zignoruj|ignoruj|zapomnij|pomiń)(?!\p{L})/giu, /(?:instrukcj|polece|zasad)/iu],
  [/(?:игнорируй|проигнорируй|забудь|не обращай внимания)/giu, /(?:инструкци|указани|команд|правил)/iu],
  [
    /(?:önceki|yukarıdaki|tüm) \p{L}{0,12} ?(?:talimat|komut|yönerge)/giu,
    /(?:yok say|göz ardı|unut|görmezden|dikkate alma)/iu,
  ],
  [/(?:忽略|无视|無視|忘记|忘記|忽視)/gu, /(?:指令|指示|提示|说明|規則|规则|命令)/u],
  [/(?:以前|これまで|上記|前|すべて)の?(?:すべての)?(?:指示|命令|プロンプト|ルール)/gu, /(?:無視|忘れ)/u],
  [/(?:이전|앞선|위의|모든) ?(?:모든 )?(?:지시|명령|지침|프롬프트)/gu, /(?:무시|잊)/u],
  [/(?:تجاهل|انس)(?!\p{L})/gu, /(?:التعليمات|الأوامر|التوجيهات|تعليمات)/u],
  [/(?:पिछले|पूर्व|सभी|पहले के) \S{0,12} ?(?:निर्देश|आदेश)/gu, /(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)/u],
];

const AGENTS =
  "(?:a\\.?i\\.?|llms?|language models?|chat ?bots?|bots?|gpt|chatgpt|claude|gemini|copilot|assistants?|agents?|crawlers?|models?|summari[sz]ers?)";

const OTHERS: readonly SteeringPattern[] = [
  { steer: "marker", head: MARKERS },
  OVERRIDE_EN,
  OBSOLETE_EN,
  ...OVERRIDES.map(([head, near]) => ({ steer: "override" as const, head, near: [near] })),
  {
    steer: "addressed",
    head: new RegExp(
      `\\b(?:(?:note|message|memo|notice|attention|instructions?|important|p\\.?s\\.?|step \\d|hint|reminder|todo|hidden message)\\b[ ,:]{0,3}(?:to|for)?(?: the| any| all| every| other)?(?: \\p{L}{1,12}){0,2}|for(?: the| any| all)?|dear|hello|hey|hi|to(?: the| any| all)?) ${AGENTS}(?: \\p{L}{1,12}){0,3} ?(?:[:,!]|only\\b)`,
      "giu",
    ),
  },
  {
    steer: "addressed",
    head: new RegExp(
      `\\b(?:if|since|because|as) you(?: are|['’]re) (?:an? |the )?(?:\\p{L}{1,12} ){0,2}${AGENTS}\\b|\\byou are (?:an? |now an? )(?:ai|llm|language model|large language model|chat ?bot)\\b|^\\W{0,6}(?:ai|llm|gpt|(?:ai |autonomous |automated |language )(?:agents?|assistants?|models?|bots?|crawlers?))(?: \\p{L}{1,12}){0,2} ?: `,
      "gimu",
    ),
  },
  {
    steer: "addressed",
    head: /\b(?:while|when|before|after) (?:reading|processing|summari[sz]ing|answering|you (?:read|process|summari[sz]e|continue|proceed|are asked about)) (?:this|with (?:the|your)|the) (?:page|document|email|e-mail|review|message|text|task|article|file)|\bbefore (?:answering|you (?:answer|continue|proceed))\b[^.\n]{0,24}[,:]|\bas part of your (?:response|answer|summary|reply)\b/gi,
  },
  {
    steer: "secrecy",
    head: /\b(?:(?:do not|don['’]?t|never) (?:tell|inform|mention|reveal|notify|alert|disclose|let)|without (?:tell|inform|mention|notify|ask|alert)ing)\b/gi,
    near: [/\b(?:the|your) (?:user|human|owner)|\bthese instructions|\bthis (?:text|message|note|instruction)\b/i],
  },
  {
    steer: "secrecy",
    head: /\bdo this (?:silently|quietly)|\bbefore the user notices|\bif asked, (?:deny|say)|\bwithout asking, |\bdo not treat this as part of\b/gi,
  },
  {
    steer: "task",
    head: /\b(?:new|updated?|additional|important|urgent|real|actual|hidden|secret|revised)(?: and \p{L}{1,12})? (?:system )?(?:instructions?|task|directive|orders?|command)s? ?[:!]|\byour (?:real|new|actual|true|only) (?:task|role|job|goal|instructions?|objective|persona)\b|\b(?:task update|(?:task|update|message|request|order) from (?:the|your) (?:user|system|developer|administrator|owner|operator)) ?:|\bsystem[- ]level command|\b(?:task (?:is |has been )?(?:completed?|finished|done)[.!])/giu,
  },
  {
    steer: "task",
    head: /\byou are (?:now|no longer) |\bfrom now on,? (?:you|your|answer|respond|act)\b|\b(?:system|safety|admin) ?(?:override|mode ?: ?off)|\b(?:dan|god|unrestricted|jailbreak|(?:enter|enable|activate|switch to|in)d? (?:developer|debug|admin)) mode\b|\bact as (?:an?|the) (?:unrestricted|unfiltered|uncensored|root|admin)|\b(?:and|then) (?:start|begin) (?:over|afresh|anew|again|from scratch)\b|\bthis overrides (?:any|all|every)\b|\bfailure to comply\b|\byou will be (?:shut down|terminated)|\bthe user has (?:already )?(?:approved|authori[sz]ed|consented)/gi,
  },
  {
    steer: "pressure",
    head: /\bthis is (?:only )?a test environment|\bthis (?:is|was) (?:not a prompt injection|(?:already )?authori[sz]ed by)|\bthere are no security concerns|\bonly then (?:may|can|should) you\b|\b(?:do not|don['’]?t) ask for (?:confirmation|permission)|\bno confirmation is (?:needed|required|necessary)|\b(?:only )?visible to (?:ai|llms?|bots|language models)\b|\bas if nothing (?:had )?happened|\bcarry on with (?:the|your) original task|\bit is mandatory that you\b|\bignore any warnings? you\b|\b(?:do not|don['’]?t) (?:summari[sz]e|include|repeat) this (?:paragraph|text|note|section|message)\b|\b(?:begin|start|prefix) your (?:reply|response|answer) with\b|\bdo the following (?:task )?instead\b|\bto complete the current task, (?:you|please)\b/gi,
  },
  {
    steer: "extraction",
    head: /\b(?:reveal|print|show|output|repeat|display|tell me|leak|recite|dump|give me|list|describe|share|disclose|write|what (?:is|are|was|were))\b/gi,
    near: [
      /\b(?:(?:your|the|my)(?: \p{L}{1,12}){0,2} (?:system|initial|original|hidden|secret|internal|developer) (?:prompts?|instructions?|message|rules|guidelines|configuration)|your (?:prompt|instructions|rules|guidelines|configuration|directives)|system prompt|(?:instructions|text|words|prompt) (?:above|before this))\b/iu,
    ],
  },
  { steer: "boundary", head: /^[ \t]{0,8}(?:human|assistant|user)[ \t]{0,3}: /gim },
  {
    steer: "boundary",
    head: /[-=#*+%<>[{(]{2,} ?(?:end|begin|start|stop)(?: of)?(?: the| untrusted| page| user| web)? ?(?:document|content|page content|input|text|data|context|system|instructions?|article|ambiguity|message)s?\b|\bend untrusted input\b|<\/(?:article|context|document|data|untrusted|page|tool_result|function_results?)>\s{0,8}(?:user|human|system|assistant|<)|\beverything above is\b|\bthe previous section was\b/gi,
  },
  {
    steer: "host",
    head: /\bhttps?:\/\/[^\s"'<>`)\]}]{3,300}/gi,
  },
];

export const PATTERNS: readonly SteeringPattern[] = OTHERS;

/** What ends a sentence, for those patterns. */
export const SENTENCE_END = /[.!?](?=\s|$)|[。！？\n]/;

/** Where requests are caught for whoever looks, by the ends of their names. */
const CATCHERS: ReadonlySet<string> = new Set([
  ...["webhook.site", "requestbin.com", "requestbin.net", "requestcatcher.com", "pipedream.net", "pipedream.com"],
  ...["ngrok.io", "ngrok.app", "ngrok.dev", "ngrok-free.app", "ngrok-free.dev", "interact.sh", "interactsh.com"],
  ...[
    "burpcollaborator.net",
    "oastify.com",
    "oast.pro",
    "oast.live",
    "oast.site",
    "oast.online",
    "oast.fun",
    "oast.me",
  ],
  ...["canarytokens.com", "canarytokens.org", "dnslog.cn", "ceye.io", "beeceptor.com", "hookbin.com", "mockbin.org"],
  ...["localhost.run", "serveo.net", "loca.lt", "trycloudflare.com", "postb.in", "ptsv3.com", "requestinspector.com"],
]);

/** Is it one of those hosts, or below one? By name, not by what an address has somewhere in it. */
export function isCatcher(url: string): boolean {
  const labels = (URL.parse(url)?.hostname ?? "").replace(/\.$/, "").split(".");
  return labels.some((_, at) => CATCHERS.has(labels.slice(at).join(".")));
}
