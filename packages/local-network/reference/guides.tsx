import type { JSX } from 'preact'
import { contents } from './page-data.ts'

export type Guide = { readonly id: string; readonly title: string; readonly text: string }

const [first = '', ...sections] = contents.description.split(/^## /m)

export const introduction: string = first.trim()

/** Guides that hold for every endpoint: the headings of the document's description. */
export const guides: readonly Guide[] = sections.map((section) => {
  const [title = '', ...lines] = section.split('\n')
  return { id: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'), title, text: lines.join('\n').trim() }
})

/** Text with code in it. */
export const Line = ({ text }: { readonly text: string }): JSX.Element => (
  <>
    {text
      .split('`')
      .map((part, at) => (at % 2 === 0 ? part : <code key={`${String(at)}${part}`}>{part}</code>))}
  </>
)

function Block({ text }: { readonly text: string }): JSX.Element {
  if (text.startsWith('```'))
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      <pre tabIndex={0}>{text.replace(/^```\w*\n/, '').replace(/\n```$/, '')}</pre>
    )
  if (!text.startsWith('* '))
    return (
      <p>
        <Line text={text} />
      </p>
    )
  const items = text.split('\n').map((item) => item.slice(2))
  const shown = items.map((item) => (
    <li key={item}>
      <Line text={item.replace(/^\d+\. /, '')} />
    </li>
  ))
  return /^1\. /.test(items[0] ?? '') ? <ol>{shown}</ol> : <ul>{shown}</ul>
}

/** Blocks are divided by empty lines, but for those within fenced code. */
const blocksOf = (text: string): readonly string[] =>
  text.match(/```[\s\S]*?```|[^\n](?:(?!\n\n)[\s\S])*/g) ?? []

/** The part of CommonMark that descriptions use. */
export const Prose = ({ text }: { readonly text: string }): JSX.Element => (
  <>
    {blocksOf(text).map((block) => (
      <Block key={block} text={block} />
    ))}
  </>
)
