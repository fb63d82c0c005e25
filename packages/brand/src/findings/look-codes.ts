import { type CodeEntry, error, warning } from './code-entry.ts'

/** Codes of theme, pictures and texts. */
export const lookCodes = {
  // E4xx: the theme
  'colour-malformed': error('E401', 'a colour as #rrggbb', 'Write six hex digits after #.'),
  'contrast-too-low': error(
    'E402',
    'contrast of 3:1 for parts and 4.5:1 for text, in light and dark',
    'Take the proposed colour, or set theme.contrast to "fix".',
  ),
  'font-malformed': error(
    'E403',
    'a family of letters, digits, blanks and hyphens',
    'Write the plain name of the family.',
  ),
  'font-missing': error('E404', 'a file in the folder of the brand', 'Add the file, or correct its path.'),
  'font-not-woff2': error('E405', 'a WOFF2 file', 'Convert the font to WOFF2.'),
  'font-too-large': error('E406', 'at most 150 kB per file', 'Subset the font to the alphabets you enable.'),
  'accent-like-primary': warning(
    'E407',
    'an accent that differs from the primary colour',
    'Choose another accent, or leave it out.',
  ),

  // E5xx: pictures
  'asset-path-malformed': error(
    'E501',
    'a path inside the folder of the brand that ends in .svg or .png',
    'Put the picture into assets/ and name it as assets/name.svg.',
  ),
  'asset-missing': error('E502', 'a file in the folder of the brand', 'Add the file, or correct its path.'),
  'asset-too-large': error(
    'E503',
    'at most 200 kB, 30 kB in assets.art',
    'Simplify the drawing, or run it through svgo.',
  ),
  'svg-malformed': error('E504', 'a well-formed SVG', 'Export the drawing again.'),
  'svg-element-refused': error(
    'E505',
    'shapes, gradients, masks and filters only',
    'Export as plain SVG without scripts, links, embedded pages, animations and pictures.',
  ),
  'svg-attribute-refused': error(
    'E506',
    'presentation attributes only',
    'Export as plain SVG without event handlers.',
  ),
  'svg-reference-refused': error(
    'E507',
    'references inside the drawing (#name) only',
    'Embed what is referred to as shapes.',
  ),
  'svg-doctype-refused': error(
    'E508',
    'no DOCTYPE, entities or processing instructions',
    'Remove everything before <svg.',
  ),
  'svg-view-box-missing': error('E509', 'a viewBox of four numbers', 'Export with a viewBox.'),
  'svg-text-refused': error(
    'E510',
    'text as outlines',
    'Convert text to outlines: no font is there to draw it.',
  ),
  'svg-too-complex': error(
    'E511',
    'at most 2000 elements, 64 deep, no use inside use',
    'Flatten the drawing.',
  ),
  'svg-style-refused': error(
    'E512',
    'simple declarations',
    'Export with presentation attributes in place of CSS.',
  ),
  'icon-not-square': error('E513', 'a square', 'Make width and height equal.'),
  'png-malformed': error('E514', 'a PNG', 'Export the picture again.'),
  'png-too-small': error('E515', 'at least 1024 pixels', 'Export larger, or give an SVG.'),
  'asset-type-differs': error('E516', 'contents that match the ending', 'Rename the file.'),
  'icon-outside-safe-zone': error(
    'E517',
    'art inside the central circle of 80 %',
    'Scale the art down, or make the ground of the icon transparent.',
  ),
  'asset-outside-folder': error(
    'E518',
    'a file inside the folder of the brand',
    'Copy the file into assets/.',
  ),
  'icon-empty': error('E519', 'something to see', 'Export the drawing again: nothing of it shows.'),
  'icon-solid': warning(
    'E520',
    'a mark with a transparent ground',
    'Add assets.mark: notification icons are drawn from its outline.',
  ),
  'social-card-size': warning('E521', '1200 × 630', 'Draw the social card as 1200 × 630.'),

  // E6xx: words
  'text-has-control-characters': error(
    'E601',
    'visible characters only',
    'Type the text again by hand: it has invisible or direction-changing characters.',
  ),
  'text-has-markup': error(
    'E602',
    'plain text',
    'Remove tags and entities; they would be shown as they are.',
  ),
  'text-has-script-url': error('E603', 'plain text', 'Remove the javascript:, vbscript: or data: address.'),
  'text-has-css': error('E604', 'plain text', 'Remove braces, url(), expression() and @import.'),
  'text-look-alike': error('E605', 'words of one alphabet', 'Type the word again on one keyboard layout.'),
  'text-too-long': error('E606', 'a shorter text', 'Shorten the text.'),
  'text-empty': error('E607', 'a text', 'Write something, or leave it out.'),
  'emoji-refused': error('E608', 'letters and digits', 'Remove the emoji: launchers cut or replace it.'),
  'text-untrimmed': error('E609', 'no blanks at the ends or doubled', 'Remove the extra blanks.'),
  'language-unknown': error(
    'E610',
    'a language of the app, or one with all its texts in i18n/<language>.json',
    'Choose a language of the app, or begin the file with `hailstone-brand language`.',
  ),
  'default-language-disabled': error(
    'E611',
    'a default that is enabled',
    'Add i18n.default to i18n.enabled.',
  ),
  'language-file-unused': warning('E612', 'an enabled language', 'Enable the language or remove the file.'),
  'string-key-unknown': error('E613', 'a key of the app', 'Correct the key.'),
  'string-placeholder-missing': error(
    'E614',
    'every placeholder of the original',
    'Put the placeholder back.',
  ),
  'string-placeholder-unknown': error('E615', 'placeholders of the original only', 'Remove the placeholder.'),
  'string-too-long': warning('E616', 'at most three times the original', 'Shorten the text.'),
  'strings-malformed': error('E617', 'a JSON object of texts', 'Correct the file.'),
  'email-malformed': error('E618', 'an e-mail address', 'Write it as name@example.org.'),
  'screen-name-malformed': error(
    'E619',
    'screens/<name>.<language>.md, the name of lower-case letters, digits and hyphens',
    'Rename the file, for example to screens/news.en.md.',
  ),
  'screens-too-many': error('E620', 'at most 12 screens', 'Join some of them.'),
  'screen-default-missing': error(
    'E621',
    'the screen in i18n.default',
    'Add the file: people whose language it does not have read this one.',
  ),
  'screen-too-large': error('E622', 'at most 40,000 bytes', 'Shorten it, or link to a page of yours.'),
  'screen-title-missing': error(
    'E623',
    'a first line with # and the title',
    'Begin the file with a line such as `# News`.',
  ),
  'screen-form-refused': error(
    'E624',
    'headings (##, ###), paragraphs, lists of one level, emphasis and https links',
    'Write it with these; other Markdown and HTML is not shown.',
  ),
  'language-incomplete': error(
    'E625',
    'all texts of the app',
    'Add them with `hailstone-brand language`, then translate them.',
  ),
  'language-untranslated': warning('E626', 'texts in the language of the file', 'Translate them.'),
} as const satisfies Readonly<Record<string, CodeEntry>>
