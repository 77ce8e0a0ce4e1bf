/** Vite configuration of both apps: the language macros, one stylesheet per chunk, and few files on the first load. */
import { fileURLToPath } from 'node:url'
import { linguiMacroSwcPlugin } from '@lingui/swc-plugin/options'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import { transform } from '@swc/core'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'
import { languageRows } from '../../rules/choices.ts'
import { catalogueChunk, shortIdsOf, loadTextsWithParts } from '../i18n/catalogue-build.ts'

const home = fileURLToPath(new URL('../..', import.meta.url))

/** The server for `npm run dev`; Vite serves the apps' own pages. */
const server = process.env['API_URL'] ?? 'http://localhost:3000'

export interface AppBuild {
  app: 'portal' | 'office'
  /** The base path of the app. */
  base: '/' | '/office/'
  developmentPort: number
}

/** Returns the Vite configuration of one app; the output goes to dist/<app>. */
export function appBuild({ app, base, developmentPort }: AppBuild): UserConfig {
  const few = bundleByStage()
  return {
    root: `${home}${app}`,
    base,
    publicDir: `${home}${app}/public`,
    cacheDir: `${home}node_modules/.vite/${app}`,
    plugins: [
      resolveIconImports(),
      few.plugin,
      writeStageFiles(base),
      react(),
      catalogueChunk(home, app),
      loadTextsWithParts(home),
      languageMacros(app),
      removeSummaries(),
      {
        ...optimizeLocales.vite({ locales: ['en-US', ...Object.values(languageRows).map(({ locale }) => locale)] }),
        enforce: 'pre',
      },
    ],
    build: {
      outDir: `${home}dist/${app}`,
      emptyOutDir: true,
      sourcemap: false,
      target: 'es2022',
      // No data: URLs, as the Content Security Policy requires.
      assetsInlineLimit: 0,
      // Only styles: a part's import requests its code.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, dependencies) => dependencies.filter((file) => file.endsWith('.css')),
      },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 700,
      rolldownOptions: { output: { codeSplitting: { groups: few.groups } } },
    },
    server: {
      port: developmentPort,
      strictPort: true,
      fs: { allow: [home] },
      proxy: Object.fromEntries(
        ['/api', '/upload', '/public', '/brand.css', '^/brand-.*\\.css$'].map((path) => [path, { target: server }]),
      ),
    },
  }
}

/**
 * What every page needs; the login page; the frame of the pages behind it with the page after a login; the parts that
 * open there.
 */
const stages = [
  { name: 'base', roots: /[\\/]main\.tsx$/ },
  { name: 'login', roots: /[\\/]screens[\\/](?:login|sign-in)[\\/]/ },
  {
    name: 'main',
    roots:
      /[\\/]layout[\\/](?:portal|signed-in-frame|notification-bell|menu-drawer|staff-menu|prompts)\.tsx$|[\\/](?:trading-accounts|inbox)\.tsx$/,
  },
  { name: 'modals', roots: /[\\/](?:modals|notification-list|menu-list)\.tsx$/ },
] as const
const overlays =
  /node_modules[\\/](?:react-aria|react-aria-components|react-stately|@react-aria|@react-stately|@react-types|@internationalized)[\\/]/

/**
 * Bundles the code of the login page in one file and that of the main page in a second one (requirements 25: requests);
 * code of further pages stays separate.
 */
function bundleByStage() {
  const stageOf = new Map<string, string>()
  const plugin: Plugin = {
    name: 'few-files',
    buildEnd() {
      const modules = [...this.getModuleIds()]
      for (const { name, roots } of stages) {
        const waiting = modules.filter((id) => roots.test(id))
        const seen = new Set<string>()
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          if (seen.has(id) || stageOf.get(id) === 'base') continue
          seen.add(id)
          // What both the login page and the pages behind it need is in the base.
          const known = stageOf.get(id)
          if (known === undefined || known === 'login') stageOf.set(id, known === undefined ? name : 'base')
          waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []))
        }
      }
    },
  }
  // The few styles of the overlays come with the frame: their code alone is requested when they open.
  const stageFor = (id: string) => {
    const stage = stageOf.get(id) ?? null
    return stage === 'modals' && id.endsWith('.css') ? 'main' : stage
  }
  const groups = [
    { name: 'overlays', priority: 1, test: overlays },
    { name: stageFor, debugName: 'stages', priority: 2 },
  ]
  return { plugin, groups }
}

/** Writes the file names of the stages `login` and `main` into the page, so that the server can have them preloaded. */
function writeStageFiles(base: string): Plugin {
  return {
    name: 'next-files',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const filesOf = (name: string) =>
          Object.values(bundle).flatMap((file) => {
            if (file.type !== 'chunk' || file.name !== name) return []
            return [file.fileName, ...(file.viteMetadata?.importedCss ?? [])].map((one) => base + one)
          })
        const marks = ['login', 'main'].map((name) => `<!--${name} ${filesOf(name).join(' ')}-->`)
        // After the first stylesheet, which declares the order of the layers.
        return html.replace('</head>', () => `${marks.join('')}</head>`)
      },
    },
  }
}

const iconImport = /import\s*\{([^}]+)\}\s*from\s*['"]@tabler\/icons-react['"];?/g

/** Resolves each icon import to its own module, because the icons' index imports five thousand. */
function resolveIconImports(): Plugin {
  return {
    name: 'icons-one-by-one',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: '@tabler/icons-react' },
      handler: (code) =>
        code.replace(iconImport, (_, names: string) =>
          names
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name && !name.startsWith('type '))
            .map((name) => `import ${name} from '@tabler/icons-react/dist/esm/icons/${name}.mjs';`)
            .join(' '),
        ),
    },
  }
}

/** Removes the summaries of endpoints, which only the API's document shows. */
function removeSummaries(): Plugin {
  return {
    name: 'no-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]contract[\\/].+\.ts$/, code: 'summary:' },
      handler: (code) => code.replace(/\bsummary:\s*'(?:[^'\\]|\\.)*',/g, ''),
    },
  }
}

const messageId = /\bid: "([^"]{6})"/g

/** Compiles the language macros, as Lingui's command does that reads the texts (ADR 299). */
function languageMacros(app: string): Plugin {
  const macros = linguiMacroSwcPlugin({ descriptorFields: 'message' }, { configPath: `${home}lingui.config.ts` })
  let short: ReadonlyMap<string, string> = new Map()
  return {
    name: 'language-macros',
    enforce: 'pre',
    async configResolved({ command }) {
      if (command === 'build') short = await shortIdsOf(home, app)
    },
    transform: {
      filter: { id: /\.tsx?$/, code: /from '(?:@lingui\/(?:core|react)\/macro|[^']*\/message\.ts)'/ },
      async handler(code, id) {
        const compiled = await transform(code, {
          filename: id,
          swcrc: false,
          configFile: false,
          sourceMaps: true,
          jsc: {
            parser: { syntax: 'typescript', tsx: id.endsWith('x') },
            target: 'es2022',
            transform: { verbatimModuleSyntax: true, react: { runtime: 'preserve' } },
            experimental: { plugins: [macros], cacheRoot: `${home}node_modules/.swc` },
          },
        })
        return {
          ...compiled,
          code: compiled.code.replace(messageId, (_, hash: string) => `id: "${short.get(hash) ?? hash}"`),
        }
      },
    },
  }
}
