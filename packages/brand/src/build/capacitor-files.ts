/** How a file of a Capacitor project is taken that is not in the manifest. */
export type Verdict =
  /** Made by Capacitor, by the package manager or by the platform's tools: its content is not compared. */
  | 'made'
  /** Cannot become a part of the app. */
  | 'harmless'
  /** Can become a part of the app, and nothing of the above makes it. */
  | 'foreign'
  /** Has to have the bytes of another file of the project. */
  | { readonly copyOf: string }
  /** Has to hold the same JSON as another file of the project, and may have the members named. */
  | { readonly sameJsonAs: string; readonly more: readonly string[] }
  /** Has to hold this text; blanks and line ends do not count. */
  | { readonly sameText: string }

/** Files that Capacitor 8 makes below `android/`, and tools of Android beside them. */
const ANDROID = new Set([
  ...[
    '.gitignore',
    'build.gradle',
    'capacitor.settings.gradle',
    'gradle.properties',
    'gradlew',
    'gradlew.bat',
  ],
  ...['local.properties', 'settings.gradle', 'variables.gradle'],
  ...['gradle/wrapper/gradle-wrapper.jar', 'gradle/wrapper/gradle-wrapper.properties'],
  ...['app/.gitignore', 'app/build.gradle', 'app/capacitor.build.gradle', 'app/proguard-rules.pro'],
  'app/src/androidTest/java/com/getcapacitor/myapp/ExampleInstrumentedTest.java',
  'app/src/test/java/com/getcapacitor/myapp/ExampleUnitTest.java',
  'app/src/main/AndroidManifest.xml',
  'app/src/main/assets/capacitor.plugins.json',
  'app/src/main/assets/public/cordova.js',
  'app/src/main/assets/public/cordova_plugins.js',
  'app/src/main/res/drawable-v24/ic_launcher_foreground.xml',
  'app/src/main/res/drawable/ic_launcher_background.xml',
  'app/src/main/res/layout/activity_main.xml',
  'app/src/main/res/mipmap-anydpi-v26/ic_launcher.xml',
  'app/src/main/res/mipmap-anydpi-v26/ic_launcher_round.xml',
  ...['ic_launcher_background', 'strings', 'styles'].map((name) => `app/src/main/res/values/${name}.xml`),
  ...['config', 'file_paths'].map((name) => `app/src/main/res/xml/${name}.xml`),
  ...['build.gradle', 'cordova.variables.gradle', 'src/main/AndroidManifest.xml'].map(
    (name) => `capacitor-cordova-android-plugins/${name}`,
  ),
])

/** Files that Capacitor 8 makes below `ios/`, with CocoaPods or without, and tools of Apple beside them. */
const IOS = new Set([
  ...['.gitignore', 'debug.xcconfig', 'App/Podfile', 'App/Podfile.lock'],
  'App/App.xcodeproj/project.pbxproj',
  'App/App.xcodeproj/project.xcworkspace/contents.xcworkspacedata',
  'App/App.xcodeproj/project.xcworkspace/xcshareddata/IDEWorkspaceChecks.plist',
  'App/App.xcodeproj/project.xcworkspace/xcshareddata/swiftpm/Package.resolved',
  'App/App.xcworkspace/contents.xcworkspacedata',
  'App/App.xcworkspace/xcshareddata/IDEWorkspaceChecks.plist',
  ...['AppDelegate.swift', 'SceneDelegate.swift', 'Info.plist', 'config.xml'].map(
    (name) => `App/App/${name}`,
  ),
  ...['LaunchScreen', 'Main'].map((name) => `App/App/Base.lproj/${name}.storyboard`),
  ...['', 'AppIcon.appiconset/', 'Splash.imageset/'].map(
    (name) => `App/App/Assets.xcassets/${name}Contents.json`,
  ),
  ...['cordova.js', 'cordova_plugins.js'].map((name) => `App/App/public/${name}`),
  ...['.gitignore', 'Package.swift', 'Sources/CapApp-SPM/CapApp-SPM.swift'].map(
    (name) => `App/CapApp-SPM/${name}`,
  ),
  'capacitor-cordova-ios-plugins/CordovaPluginsResources.podspec',
])

/** Folders that installers and the platform's tools fill, and that no manifest can name the content of. */
const TOOLS =
  /^(?:node_modules|\.git|android\/(?:(?:app|capacitor-cordova-android-plugins)\/)?build|android\/app\/release|android\/\.(?:gradle|idea|kotlin)|(?:device|miner|unlock)\/android\/build|ios\/(?:App\/)?(?:Pods|build|DerivedData)|ios\/App\/App\.xc\w+\/(?:project\.xcworkspace\/)?xcuserdata)$/

/** Lockfiles of package managers. */
const LOCKFILES = new Set(['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'])

/** What no tool of a platform compiles, runs or reads. */
const HARMLESS =
  /\.(?:png|jpe?g|gif|webp|pdf|md|keystore|jks|p12|iml|log)$|(?:^|\/)(?:\.DS_Store|\.gitkeep|\.npmkeep)$/i

/** True for a folder that is not looked through. */
export const isOfTools = (folder: string): boolean => TOOLS.test(folder)

/** Plugins of the project as its package has them: name → folder. */
export const pluginsOf = (dependencies: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(dependencies).flatMap(([name, range]) => {
      const [, folder] = /^file:\.\/([\w-]+)$/.exec(range) ?? []
      return folder === undefined ? [] : [[name, folder] as const]
    }),
  )

/**
 * Judges a file by its path in a project, with forward slashes.
 *
 * @param appId the id of the app in `capacitor.config.json`
 */
export function verdictOf(path: string, appId: string): Verdict {
  const [top = '', ...rest] = path.split('/')
  const inside = rest.join('/')
  if (rest.length === 0) return LOCKFILES.has(path) ? 'made' : HARMLESS.test(path) ? 'harmless' : 'foreign'
  if (top === 'android') return ofAndroid(inside, appId)
  if (top === 'ios') return ofIos(inside)
  // The parts of the build itself hold nothing else.
  return 'foreign'
}

function ofAndroid(path: string, appId: string): Verdict {
  const [, served] = /^app\/src\/main\/assets\/public\/(.+)$/.exec(path) ?? []
  const [, resource] = /^app\/src\/main\/(res\/.+)$/.exec(path) ?? []
  if (ANDROID.has(path)) return 'made'
  if (path === `app/src/main/java/${appId.replaceAll('.', '/')}/MainActivity.java`)
    return { sameText: mainActivityOf(appId) }
  if (path === 'app/src/main/assets/capacitor.config.json')
    return { sameJsonAs: 'capacitor.config.json', more: [] }
  if (served !== undefined) return { copyOf: `www/${served}` }
  if (HARMLESS.test(path)) return 'harmless'
  return resource === undefined ? 'foreign' : { copyOf: `brand/android/${resource}` }
}

/** The one class that Capacitor 8 writes for an app. */
const mainActivityOf = (appId: string): string =>
  `package ${appId}; import com.getcapacitor.BridgeActivity; public class MainActivity extends BridgeActivity {}`

function ofIos(path: string): Verdict {
  const [, served] = /^App\/App\/public\/(.+)$/.exec(path) ?? []
  if (IOS.has(path)) return 'made'
  if (path === 'App/App/capacitor.config.json')
    return { sameJsonAs: 'capacitor.config.json', more: ['packageClassList'] }
  if (served !== undefined) return { copyOf: `www/${served}` }
  return HARMLESS.test(path) ? 'harmless' : 'foreign'
}
