import { parseXml, XmlElement, type XmlNode } from '@rgrove/parse-xml'
import type { FindingName } from '../findings/codes.ts'
import { type Finding, type FindingFacts, finding, shown } from '../findings/finding.ts'
import { secretKind } from './secret-rules.ts'
import {
  allowedElements,
  isFreeText,
  isKnownAttribute,
  sheetFault,
  styleFault,
  valueFault,
} from './svg-grammar.ts'

/** Data of an accepted drawing. */
type SvgFacts = { readonly width: number; readonly height: number }

export type SvgReading = { readonly facts: SvgFacts | null; readonly findings: readonly Finding[] }

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'
const MAX_ELEMENTS = 2_000
const DEEPEST = 64

const textElements = new Set(['text', 'tspan', 'textPath'])

/**
 * Parses a drawing and refuses what could run, load or hide something. Accepted are shapes, gradients, masks and
 * filters with references inside the drawing, so that it is safe as icon, favicon and picture. The grammar is in
 * `svg-grammar.ts`.
 *
 * @param path path of the drawing, for findings
 */
export function readSvg(text: string, path: string): SvgReading {
  const refuse = (name: FindingName, found: string, expected?: string): SvgReading => ({
    facts: null,
    findings: [finding(name, { path, found, expected } satisfies FindingFacts)],
  })
  const instruction = /<!DOCTYPE|<!ENTITY|<\?(?!xml\s)[\w-]*/i.exec(text)
  if (instruction !== null) return refuse('svg-doctype-refused', shown(instruction[0]))
  if (secretKind(text) !== null && secretKind(stripData(text)) !== null) {
    return refuse('secret-in-file', '64 hex digits, as a private key has (not shown)')
  }
  const root = parsed(text)
  if (root instanceof Error) return refuse('svg-malformed', root.message.split('\n')[0] ?? 'no XML')
  if (root?.name !== 'svg' || root.attributes.xmlns !== SVG_NAMESPACE) {
    return refuse('svg-malformed', shown(root?.name), `<svg xmlns="${SVG_NAMESPACE}"> as root`)
  }
  const findings = [...elementFindings(root, path), ...complexityFindings(root, path)]
  const facts = viewBoxOf(root)
  if (facts === null)
    findings.push(finding('svg-view-box-missing', { path, found: shown(root.attributes.viewBox) }))
  return { facts, findings }
}

/** Removes path data, whose long digit runs are not keys. Names and texts are searched for secrets. */
const stripData = (text: string): string =>
  text.replace(/\s(?:d|points|values)\s*=\s*(?:"[^"]*"|'[^']*')/g, '')

function parsed(text: string): XmlElement | Error | null {
  try {
    return parseXml(text.replace(/^\uFEFF/, '')).root
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

function* elementsOf(
  node: XmlNode,
  depth = 0,
): Generator<{ readonly element: XmlElement; readonly depth: number }> {
  if (!(node instanceof XmlElement)) return
  yield { element: node, depth }
  // Deeper drawings are refused anyway. Recursing into them could exhaust the stack.
  if (depth <= DEEPEST) for (const child of node.children) yield* elementsOf(child, depth + 1)
}

function elementFindings(root: XmlElement, path: string): Finding[] {
  return [...elementsOf(root)].flatMap(({ element }) => {
    const { name } = element
    if (textElements.has(name)) return [finding('svg-text-refused', { path, found: `<${name}>` })]
    if (!allowedElements.has(name)) return [finding('svg-element-refused', { path, found: `<${name}>` })]
    return [...sheetFindings(element, path), ...attributeFindings(element, path)]
  })
}

function sheetFindings(element: XmlElement, path: string): readonly Finding[] {
  if (element.name !== 'style') return []
  // Elements inside would be text for us and elements for a browser.
  const hasElements = element.children.some((child) => child instanceof XmlElement)
  const fault = hasElements ? 'an element in <style>' : sheetFault(element.text)
  return fault === null
    ? []
    : [finding('svg-style-refused', { path, found: `${shown(fault)} in ${shown(element.text)}` })]
}

const references = new Set(['href', 'xlink:href'])

function attributeFindings({ name: element, attributes }: XmlElement, path: string): readonly Finding[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const refused = attributeFault(name, value)
    return refused === null
      ? []
      : [finding(refused, { path, found: `${name}=${shown(value)} on <${element}>` })]
  })
}

function attributeFault(name: string, value: string): FindingName | null {
  if (name === 'xmlns') return value === SVG_NAMESPACE ? null : 'svg-attribute-refused'
  if (references.has(name) || name === 'src') return isLocal(name, value) ? null : 'svg-reference-refused'
  if (/^xmlns:[\w-]+$/.test(name) || isFreeText(name)) return null
  if (!isKnownAttribute(name)) return 'svg-attribute-refused'
  if (name === 'style') return styleFault(value) === null ? null : 'svg-style-refused'
  return valueFault(value) === null ? null : 'svg-reference-refused'
}

const isLocal = (name: string, value: string): boolean => name !== 'src' && /^#[\w.-]+$/.test(value)

/** Refuses drawings that take too long to render: too many elements, too deep, or nested copies. */
function complexityFindings(root: XmlElement, path: string): readonly Finding[] {
  const all = [...elementsOf(root)]
  const deepest = Math.max(...all.map(({ depth }) => depth))
  const found =
    all.length > MAX_ELEMENTS
      ? `${all.length} elements`
      : deepest > DEEPEST
        ? `more than ${DEEPEST} levels`
        : copiesOfCopies(all.map(({ element }) => element))
  return found === null ? [] : [finding('svg-too-complex', { path, found })]
}

function copiesOfCopies(elements: readonly XmlElement[]): string | null {
  const copied = new Set(
    elements
      .filter(({ name }) => name === 'use')
      .map(({ attributes }) => (attributes.href ?? attributes['xlink:href'] ?? '').slice(1)),
  )
  const nested = elements.find(
    (element) =>
      copied.has(element.attributes.id ?? '') &&
      [...elementsOf(element)].some(({ element: inner }) => inner.name === 'use'),
  )
  return nested === undefined ? null : `use of "${nested.attributes.id}", which has a use itself`
}

function viewBoxOf({ attributes }: XmlElement): SvgFacts | null {
  const numbers = (attributes.viewBox ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const [left, top, width, height] = numbers
  if (numbers.length !== 4 || !numbers.every(Number.isFinite)) return null
  if (left === undefined || top === undefined || width === undefined || height === undefined) return null
  return width > 0 && height > 0 && Math.max(width, height) <= 100_000 ? { width, height } : null
}
