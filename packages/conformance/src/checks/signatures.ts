import { signingHashOfTexts, verifyText } from '@hailstone/protocol'
import { asObject, asText, casesOf, difference, everyCaseHas, judge, nameOf } from '../case.ts'
import type { Check } from '../check.ts'
import { textsOf } from './transaction-hashes.ts'

/** Verification like the network's, high-S included (PROTOCOL 2.3). */
export const check: Check = {
  kind: 'signatures',
  recognises: (file) => everyCaseHas(file, 'public_key', 'message', 'signature', 'valid'),
  run: (file) =>
    casesOf(file).map((given) =>
      judge(nameOf(given), () => {
        const [text, signature] = [asText(given.message), asText(given.signature)]
        const valid = verifyText({ text, signature, address: asText(given.public_key) })
        const message = given.tx === undefined ? text : signingHashOfTexts(textsOf(asObject(given.tx)))
        return [difference('valid', given.valid, valid), difference('message', text, message)]
      }),
    ),
}
