import { type OpenApiDocument, openApiDocument } from './open-api.ts'

/** Where a local network listens when it is not told otherwise. */
const LOCAL_URL = 'http://127.0.0.1:4410/api/v1'

/** The document that comes with the package as `openapi.json` and that the command `hailstone-network openapi` writes. */
export const publishedDocument = (): OpenApiDocument => openApiDocument({ serverUrl: LOCAL_URL })

/** As text, ready for a file. */
export const publishedText = (): string => `${JSON.stringify(publishedDocument(), null, 1)}\n`
