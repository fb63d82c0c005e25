// Its one file for browsers contains all that it depends on, so nothing of that is installed, and no Node runs it.
export const hooks = {
  readPackage(manifest) {
    if (manifest.name !== '@scalar/api-reference') return manifest
    const { engines: _, ...others } = manifest
    return { ...others, dependencies: {} }
  },
}
