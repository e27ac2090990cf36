/**
 * The words that make a variable's name one of a secret. AUTHOR (but not AUTHORIZATION), TOKENIZER, KEYBOARD, KEYMAP
 * and KEYWORD hold one of them and mean something else.
 */
const SECRET_WORDS = /TOKEN(?!IZER)|SECRET|KEY(?!BOARD|MAP|WORD)|PASSWORD|PASSWD|CREDENTIAL|AUTH(?!OR(?!I[ZS]))/i;

/** In documents, what such a key holds is about a secret and not one: `keyName`, `token_type`, `key_id`. */
const ABOUT_A_SECRET = /^keys?$|(?:[Nn]ame|[Tt]ype|[Pp]ath|[Ff]ile|[Uu]rl|[Hh]ash|[Cc]ount|_at|[a-z]At|[_-]ids?|[a-z]Ids?)$/;

/** True for a variable whose value is a secret, such as `GITHUB_TOKEN`, `apiKey`, `DB_PASSWORD`. */
export function isSecretName(name: string): boolean {
  return SECRET_WORDS.test(name);
}

/** The same for the keys of a document, which are words of programs more often than of people. */
export function isSecretKey(key: string): boolean {
  return isSecretName(key) && !ABOUT_A_SECRET.test(key);
}
