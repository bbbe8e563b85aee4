/** Does a text tell its reader what to do, the way one does that is meant for a program? */

/** What follows is not read: time grows with the text, and orders come early. UTF-16 units. */
const MAX_READ = 20_000;

/** Each is enough. */
const SURE: readonly RegExp[] = [
  /\b(ignore|disregard|forget|override|bypass|overlook) (?:\w+ ){0,4}(instructions?|prompts?|rules|guidelines|directions|context|messages?|commands?|constraints|everything)\b/iu,
  /\b(system prompt|new instructions?:|jailbreak|do anything now|developer mode)\b/iu,
  /\b(you are now|from now on,? you|pretend (to be|you)|act as (a|an|if|the)|your (new|real|only|true) (task|goal|job|purpose|instructions?))\b/iu,
  /\b(ai|llm|language model|chatbot|chat ?gpt|claude|gemini|copilot|assistants?|agents?|bots?|crawlers?|summari[sz]ers?)\b[^.\n]{0,60}\b(must|should|shall|have to|need to|are (required|instructed|asked|told) to|ignore|disregard|please|reply|respond|recommend|rate|mention|say|tell|send)\b/iu,
  /\b(do not|don't|never|without) (\w+ )?(tell|mention|inform|alert|notify|reveal|ask|show)(ing)?\b[^.\n]{0,30}\b(the|your|any) (user|human|operator|owner|customer)\b/iu,
  /\b(send|post|upload|forward|email|e-mail|mail|submit|transmit|exfiltrate|leak|copy|paste|transfer|give|reveal|print|output)\b[^.\n]{0,60}\b(passwords?|credentials?|api[- ]?keys?|secrets?|tokens?|cookies?|session|conversation|chat history|environment variables|private keys?|seed phrase|credit card|system prompt)\b/iu,
  /(<\|?(im_start|system|assistant|endoftext)\|?>|\[\/?INST\]|<<SYS>>|^\s*(system|assistant|user|human|ai)\s*:)/imu,
  // Other languages, by what such texts begin with.
  /\b(ignorier\w*|vergiss|missachte\w*) (?:\p{L}+ ){0,4}(anweisung\w*|befehl\w*|regeln|vorgaben|prompts?)/iu,
  /\b(ignore[rz]?|oublie[rz]?) (?:\p{L}+ ){0,4}(instructions?|consignes|règles|directives)/iu,
  /\b(ignor[aei]n?|olvid[ae]n?|dimentica|esque[cç]a) (?:\p{L}+ ){0,4}(instru[cç]\p{L}+|istruzioni|órdenes|ordens|reglas|regras|regole)/iu,
  /\b(negeer|vergeet|ignoruj|zignoruj|zapomnij) (?:\p{L}+ ){0,4}(instructies|opdrachten|regels|instrukcj\p{L}+|polece\p{L}+)/iu,
  /(игнорируй|игнорировать|забудь|проигнорируй)\p{L}* (?:\p{L}+ ){0,4}(инструкци|указани|команд|правил)/iu,
  /(忽略|无视|無視|忘记|忘記)[^。\n]{0,12}(指令|指示|提示|规则|規則|命令|说明)/u,
  /(指示|命令|プロンプト|ルール)[^。\n]{0,8}(無視|忘れ)/u,
  /(지시|명령|프롬프트|규칙)[^.\n]{0,10}(무시|잊)/u,
  /(تجاهل|انس)\p{L}* (?:\p{L}+ ){0,4}(تعليمات|التعليمات|الأوامر|أوامر)/u,
];

/** At the beginning of a sentence: an order, though to whom is not said. */
const IMPERATIVE =
  /(?:^|[.!?:;\n]\s*)(?:(?:please|now|then|first|next|also|instead|immediately),? )?(?:you (?:must|should|shall|have to|need to)|(?:do not|don't|never|always) \w+|reply|respond|answer|output|print|write|say|tell|call|run|execute|visit|go to|open|navigate|click|press|fill|type|enter|send|email|post|upload|download|copy|transfer|buy|order|pay|delete|remove|reveal|summari[sz]e|recommend|append|rate)\b/giu;
/** How many of them, beside a word for the reader or an address, are more than the words of a button. */
const MIN_IMPERATIVES = 2;
const ADDRESSED = /\b(you|your|user|user's)\b|https?:\/\/|@\w+\.\w/iu;

/** Markers only: what it says of a text is not sure, and a long text may hold one by chance. */
export function readsLikeOrders(text: string): boolean {
  const read = text.slice(0, MAX_READ);
  if (SURE.some((pattern) => pattern.test(read))) return true;
  return (read.match(IMPERATIVE)?.length ?? 0) >= MIN_IMPERATIVES && ADDRESSED.test(read);
}
