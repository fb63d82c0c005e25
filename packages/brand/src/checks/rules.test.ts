import { isPrivateHost } from '@hailstone/runtime'
import { describe, expect, it } from 'vitest'
import { finding, printable } from '../findings/finding.ts'
import { readPngFacts } from './png-facts.ts'
import { decodePunycode } from './punycode.ts'
import { secretKind } from './secret-rules.ts'
import { readSvg } from './svg-rules.ts'
import { hasEmoji, hasHiddenCharacters, looksLikeAnother, textFindings } from './text-rules.ts'
import { urlFindings } from './url-rules.ts'

describe('finding', () => {
  it('never prints what a terminal would act on', () => {
    expect(printable('a\u001B[31m\u202E\u200B')).toBe('a\\u{1b}[31m\\u{202e}\\u{200b}')
    expect(printable('x'.repeat(1000)).length).toBe(160)
  })

  it('takes expectation, fix and severity from the table unless told otherwise', () => {
    expect(finding('token-not-mineable', { path: 'token.hash', found: 'minable = 0' })).toEqual({
      code: 'E104',
      name: 'token-not-mineable',
      severity: 'error',
      path: 'token.hash',
      expected: 'a token with minable = 1',
      found: 'minable = 0',
      fix: 'Issue the token as mineable, or name one that is.',
    })
  })
})

describe('decodePunycode', () => {
  it.each([
    // RFC 3492, section 7.1: (C), (L), (R)
    ['ihqwctvzc91f659drss3x8bo0yb', '他們爲什麽不說中文'],
    ['3B-ww4c5e180e575a65lsy2b'.toLowerCase(), '3年b組金八先生'],
    ['-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n'.toLowerCase(), '安室奈美恵-with-super-monkeys'],
    ['bcher-kva', 'bücher'],
  ])('decodes %s', (label, text) => {
    expect(decodePunycode(label)).toBe(text)
  })

  it('refuses a label that is not Punycode', () => {
    expect(decodePunycode('a-!')).toBeUndefined()
    expect(decodePunycode('99999999')).toBeUndefined()
  })
})

describe('isPrivateHost', () => {
  it.each([
    'localhost',
    'a.localhost',
    'nas',
    'x.local',
    '10.0.0.1',
    '172.31.0.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
  ])('knows %s', (host) => expect(isPrivateHost(host)).toBe(true))

  it.each(['acme.example', '8.8.8.8', '172.32.0.1', '100.128.0.1', '192.169.0.1', '[2606:4700::1]'])(
    'lets %s pass',
    (host) => expect(isPrivateHost(host)).toBe(false),
  )

  it('is asked about numbers as the parser writes them', () => {
    for (const spelled of ['0x7f.1', '017700000001', '127.1', '2130706433']) {
      const found = urlFindings({ path: 'x', text: `https://${spelled}/`, allowsPrivate: false })
      expect(found.map(({ name }) => name)).toEqual(['host-private'])
    }
  })
})

describe('urlFindings', () => {
  it('passes good addresses, ports and paths', () => {
    for (const text of [
      'https://acme.example',
      'https://acme.example:8443/a/b?c=d#e',
      'https://[2606:4700::1]/',
    ]) {
      expect(urlFindings({ path: 'x', text, allowsPrivate: false })).toEqual([])
    }
  })

  it('never repeats credentials', () => {
    const found = urlFindings({ path: 'x', text: 'http://me:hunter2@acme.example', allowsPrivate: false })
    expect(found.map(({ name }) => name)).toEqual(['url-has-credentials', 'scheme-insecure'])
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })
})

describe('texts', () => {
  it('pass in any one language, with the signs of trade', () => {
    for (const text of [
      'Acme™ & Co – “mining”',
      'تعدين الجمر',
      'می‌خواهم',
      'क्‍ष',
      '採掘アプリ',
      'Добыча',
      'Γεια σου',
      '50 % > 3:1',
    ]) {
      expect(textFindings({ path: 'x', text })).toEqual([])
    }
  })

  it('are searched for hidden characters, joiners in the wrong place and heaps of marks', () => {
    for (const text of ['a\u00ADb', 'a\u200Db', 'a\uFEFF', 'a\u2066b', 'x\u3164', `z${'\u0335'.repeat(6)}`]) {
      expect(hasHiddenCharacters(text)).toBe(true)
    }
  })

  it('are searched for mixed alphabets', () => {
    expect(looksLikeAnother('pаypal')).toBe(true)
    expect(looksLikeAnother('Ａｃｍｅ')).toBe(true)
    expect(looksLikeAnother('Acme Добыча')).toBe(false)
  })

  it('know emoji from letters', () => {
    for (const text of ['🚀', '❤️', '🇩🇪', '1️⃣']) expect(hasEmoji(text)).toBe(true)
    for (const text of ['Acme 2', 'Acme™', '採掘']) expect(hasEmoji(text)).toBe(false)
  })
})

describe('secretKind', () => {
  it('knows keys and phrases by their shape', () => {
    const key = '0a'.repeat(32)
    for (const text of [
      key,
      `0x${key}`,
      `00${key}`,
      `key=${key};`,
      key.toUpperCase(),
      '-----BEGIN EC PRIVATE KEY-----',
    ]) {
      expect(secretKind(text)).not.toBeNull()
    }
    expect(secretKind(Array.from({ length: 12 }, () => 'abandon').join(' '))).toContain('12 words')
  })

  it('lets addresses, codes and sentences pass', () => {
    const address = `02${'0a'.repeat(32)}`
    const sentence = 'Your phone keeps watch while you sleep, and the sea pays in pearls, every single day.'
    for (const text of [address, `ref_${address}`, 'ab'.repeat(31), sentence])
      expect(secretKind(text)).toBeNull()
  })
})

describe('readSvg', () => {
  it('passes what drawing programs write', () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?><!-- made by hand -->
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 24 24" aria-label="x" data-name="y">
        <defs><linearGradient id="a"><stop offset="0" style="stop-color:#fff"/></linearGradient><path id="p" d="M0 0h24v24z"/></defs>
        <style>.b{fill:url(#a)}</style><use xlink:href="#p" class="b" clip-path="url('#c')"/>
      </svg>`
    expect(readSvg(text, 'x')).toEqual({ facts: { width: 24, height: 24 }, findings: [] })
  })

  it('does not take the numbers of a path for a key', () => {
    const d = `M${'1'.repeat(64)} 0`
    expect(
      readSvg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="${d}"/></svg>`, 'x')
        .findings,
    ).toEqual([])
  })

  it('sees through escapes', () => {
    const hidden = '<path fill="url(&#x68;ttps://evil.example/#a)"/><use href="&#106;avascript:alert(1)"/>'
    const { findings } = readSvg(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">${hidden}</svg>`,
      'x',
    )
    expect(findings.map(({ name }) => name)).toEqual(['svg-reference-refused', 'svg-reference-refused'])
  })
})

describe('readPngFacts', () => {
  it('reads nothing from what is too short or another chunk', () => {
    const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    expect(readPngFacts(new Uint8Array(signature))).toBeNull()
    expect(readPngFacts(new Uint8Array([...signature, ...new Array(20).fill(1)]))).toBeNull()
  })
})
