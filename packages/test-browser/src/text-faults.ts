import type { Page } from 'playwright-core'

/** Elements of a page that are not judged, as CSS selectors. */
export type Spared = {
  /** Not seen, or a picture. */
  readonly hidden?: string
  /** Hashes, addresses and other names that have digits and may break. */
  readonly names?: string
  /** Scrolled sideways within its own box, which is said or shown there. */
  readonly scrolled?: string
}

/**
 * Measures the boxes of every text that is seen and returns what is wrong with them, one sentence each: a number on two
 * lines, a text outside of the screen or of the box that it is in, a text that is cut, two texts on one place.
 */
export const textFaults = (page: Page, spared: Spared = {}): Promise<string[]> =>
  page.evaluate(({ hidden = '', names = '', scrolled = '' }) => {
    const is = (element: Element, selector: string): boolean =>
      selector !== '' && element.closest(selector) !== null
    const seen = (element: Element): boolean =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !is(element, `svg, script, style, option, ${hidden || 'svg'}`)
    const faults: string[] = []
    const wide = document.documentElement.clientWidth
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    type Place = { readonly text: string; readonly element: Element; readonly rect: DOMRect }
    const places: Place[] = []
    /** True if two boxes share no line. */
    const areApart = (one: DOMRect, other: DOMRect): boolean =>
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) <
      Math.min(one.height, other.height) / 4
    const linesOf = (range: Range): readonly DOMRect[] =>
      [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
    const isBroken = (range: Range): boolean => {
      const lines = linesOf(range)
      return lines.some((line) => areApart(line, lines[0] as DOMRect))
    }
    const rangeOf = (node: Node, from: number, to: number): Range => {
      const range = document.createRange()
      range.setStart(node, from)
      range.setEnd(node, to)
      return range
    }
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement as Element
      const text = node.textContent ?? ''
      if (text.trim() === '' || !seen(element)) continue
      for (const rect of linesOf(rangeOf(node, 0, text.length))) places.push({ text, element, rect })
      if (is(element, names)) continue
      for (const found of text.matchAll(
        /(?<![\p{L}\p{Nd}:/.])[+−-]?\p{Nd}(?:[\p{Nd}.,٬٫’\u00a0\u202f]*\p{Nd})?…?(?![\p{L}:/])/gu,
      ))
        if (isBroken(rangeOf(node, found.index, found.index + found[0].length)))
          faults.push(`a number on two lines: ${found[0]} in ${text}`)
    }
    for (const number of document.querySelectorAll('bdi, .number')) {
      if (!seen(number) || is(number, names) || !/\p{Nd}/u.test(number.textContent ?? '')) continue
      const range = document.createRange()
      range.selectNodeContents(number)
      if (/^[\p{Nd}\s.,٬٫…+−-]+$/u.test(number.textContent ?? '') && isBroken(range))
        faults.push(`a number on two lines: ${number.textContent}`)
    }
    for (const { text, element, rect } of places) {
      if (!is(element, scrolled) && (rect.right > wide + 1 || rect.left < -1))
        faults.push(`outside of the screen: ${text}`)
      for (
        let box: Element | null = element;
        box !== null && box !== document.body;
        box = box.parentElement
      ) {
        const { overflowX, overflowY, display } = getComputedStyle(box)
        if (display === 'inline' || display === 'contents') continue
        const { left, right, top, bottom } = box.getBoundingClientRect()
        const isScrolled = scrolled !== '' && box.matches(scrolled)
        if (isScrolled) break
        const isWide = rect.right > right + 1 || rect.left < left - 1
        const isHigh = rect.bottom > bottom + 2 || rect.top < top - 2
        const cutsX = overflowX !== 'visible'
        if (isWide)
          faults.push(`${cutsX ? 'cut' : 'out of its box'}: ${text} in ${box.outerHTML.slice(0, 90)}`)
        if (isHigh && overflowY !== 'visible') faults.push(`cut: ${text} in ${box.outerHTML.slice(0, 90)}`)
        if (isWide) break
      }
    }
    // Only what stands in one layer: bars at the edge of the screen lie above the rest on purpose.
    const isFixed = (element: Element): boolean => {
      for (let one: Element | null = element; one !== null; one = one.parentElement)
        if (['fixed', 'sticky', 'absolute'].includes(getComputedStyle(one).position)) return true
      return false
    }
    const flat = places
      .filter(({ element }) => !isFixed(element))
      .sort((one, other) => one.rect.top - other.rect.top)
    for (const [at, one] of flat.entries()) {
      for (let next = at + 1; next < flat.length; next++) {
        const other = flat[next] as Place
        if (other.rect.top >= one.rect.bottom) break
        const across = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left)
        if (across > 2 && !areApart(one.rect, other.rect))
          faults.push(`two texts on one place: ${one.text} and ${other.text}`)
      }
    }
    return [...new Set(faults)]
  }, spared)
