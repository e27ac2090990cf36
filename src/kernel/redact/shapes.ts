const AUTHORIZATION = '[Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn][\\t "\':=\\\\]{1,8}';

/**
 * What tokens look like that need not be known to be masked. Each is a sequence of characters, classes and counts as in
 * regular expressions; the part in parentheses is masked. `\b` at the beginning: not the end of a word such as `task-`, which has a vowel
 * there; what an escape or a colour ends with has none.
 * A class takes all that it can; only before an `@` it gives back what is needed to end at the last one. The mask is
 * in no class but that of passwords in addresses, so that a look at masked text finds nothing new.
 */
export const SHAPES: readonly string[] = [
  // GitHub: personal, OAuth, server, user and refresh tokens; fine-grained ones.
  '(gh[pousr]_[A-Za-z0-9]{36,})',
  '(github_pat_[A-Za-z0-9_]{22,})',
  // GitLab.
  '(glpat-[A-Za-z0-9_-]{20,})',
  // OpenAI, Anthropic, OpenRouter.
  '\\b(sk-[A-Za-z0-9]{20,})',
  '(sk-ant-[A-Za-z0-9_-]{16,})',
  '(sk-proj-[A-Za-z0-9_-]{16,})',
  '(sk-svcacct-[A-Za-z0-9_-]{16,})',
  '(sk-admin-[A-Za-z0-9_-]{16,})',
  '(sk-or-v1-[A-Za-z0-9]{16,})',
  // Amazon: long-term and temporary access keys.
  '(A[KS]IA[A-Z0-9]{16,})',
  // Slack: bot, app, user, refresh and session tokens; app-level ones.
  '(xox[abeprs]-[A-Za-z0-9-]{10,})',
  '(xapp-[A-Za-z0-9-]{20,})',
  // Google: API keys, OAuth access tokens.
  '(AIza[A-Za-z0-9_-]{35,})',
  '(ya29[.][A-Za-z0-9_-]{20,})',
  // Package registries and model hubs.
  '(npm_[A-Za-z0-9]{36,})',
  '(pypi-[A-Za-z0-9_-]{50,})',
  '(hf_[A-Za-z0-9]{30,})',
  // Stripe: secret and restricted keys.
  '([rs]k_live_[A-Za-z0-9]{16,})',
  '([rs]k_test_[A-Za-z0-9]{16,})',
  // SendGrid.
  '(SG[.][A-Za-z0-9_-]{16,64}[.][A-Za-z0-9_-]{16,})',
  // JSON web tokens: two documents, or three parts of which the first is one.
  '(eyJ[A-Za-z0-9_-]{8,1024}[.]eyJ[A-Za-z0-9_.-]{8,})',
  '(eyJ[A-Za-z0-9_-]{8,1024}[.][A-Za-z0-9_-]{0,4096}[.][A-Za-z0-9_.-]{8,})',
  // Private keys: the lines between the frame.
  '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\\s\\\\][\\srn\\\\]{0,8}([A-Za-z0-9+/=\\s\\\\]{1,65536})',
  '-----BEGIN PGP PRIVATE KEY BLOCK-----[\\s\\\\][\\srn\\\\]{0,8}([^*"-]{1,65536})',
  'DEK-Info: [A-Z0-9-]{1,32},([A-Za-z0-9+/=\\s\\\\]{8,65536})',
  // Passwords in addresses, also where JSON escapes the slashes.
  '://[^\\s/?#:@"\'<>`]{0,256}:([^\\s/?#"\'<>`]{1,256})@',
  ':\\\\[\\\\/][\\\\/]{1,20}[^\\s/?#:@"\'<>`]{0,256}:([^\\s/?#"\'<>`]{1,256})@',
  // Headers of requests; a bare scheme needs something that is no word behind it.
  `${AUTHORIZATION}[Bb][Ee][Aa][Rr][Ee][Rr][\\t ]{1,4}([A-Za-z0-9._~+/=-]{4,})`,
  `${AUTHORIZATION}[Bb][Aa][Ss][Ii][Cc][\\t ]{1,4}([A-Za-z0-9._~+/=-]{4,})`,
  `${AUTHORIZATION}[Tt][Oo][Kk][Ee][Nn][\\t ]{1,4}([A-Za-z0-9._~+/=-]{4,})`,
  '[Bb][Ee][Aa][Rr][Ee][Rr][\\t ]{1,4}([A-Za-z0-9._~+/=-]{20,})',
];
