/** Vite configuration of both apps: the language macros, one stylesheet an app, and few files on the first load. */
import { fileURLToPath } from 'node:url'
import { linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'
import { languageRows } from '../../rules/choices.ts'
import { catalogueChunk } from '../i18n/catalogue-build.ts'

const home = fileURLToPath(new URL('../..', import.meta.url))
const languageConfig = { configPath: `${home}lingui.config.ts` }

/** Where `npm run dev` finds the server; the apps' own pages come from Vite. */
const server = process.env['API_URL'] ?? 'http://localhost:3000'

export interface AppBuild {
  app: 'portal' | 'office'
  /** The address under which the app is served. */
  base: '/' | '/office/'
  developmentPort: number
}

/** Returns the Vite configuration of one app; its pages land in dist/<app>. */
export function appBuild({ app, base, developmentPort }: AppBuild): UserConfig {
  const few = fewFiles()
  return {
    root: `${home}${app}`,
    base,
    publicDir: `${home}${app}/public`,
    cacheDir: `${home}node_modules/.vite/${app}`,
    plugins: [
      iconsOneByOne(),
      few.plugin,
      nextChunk(base),
      react(),
      catalogueChunk(home, app),
      babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' }, languageConfig)] }),
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
      // One stylesheet an app, and no data: addresses: the Content Security Policy and the count of requests want it.
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
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

/** What a reader meets first, what stands around every page behind it with the page that a sign-in leads to, what opens there. */
const stages = [
  { name: 'base', roots: /[\\/]main\.tsx$|[\\/]screens[\\/](?:login|sign-in)[\\/]/ },
  {
    name: 'main',
    roots:
      /[\\/]layout[\\/](?:portal|signed-in-frame|notification-bell|menu-drawer|prompts)\.tsx$|[\\/](?:trading-accounts|inbox)\.tsx$/,
  },
  { name: 'modals', roots: /[\\/](?:modals|notification-list|menu-list)\.tsx$/ },
] as const
const overlays =
  /node_modules[\\/](?:react-aria|react-aria-components|react-stately|@react-aria|@react-stately|@react-types|@internationalized)[\\/]/

/**
 * What the login page needs comes in one file, what the main page needs in one more (requirements 25: requests), and
 * what only further pages need stays beside them.
 */
function fewFiles() {
  const stageOf = new Map<string, string>()
  const plugin: Plugin = {
    name: 'few-files',
    buildEnd() {
      const modules = [...this.getModuleIds()]
      for (const { name, roots } of stages) {
        const waiting = modules.filter((id) => roots.test(id))
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          if (stageOf.has(id)) continue
          stageOf.set(id, name)
          waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []))
        }
      }
    },
  }
  const groups = [
    { name: 'overlays', priority: 1, test: overlays },
    { name: (id: string) => stageOf.get(id) ?? null, debugName: 'stages', priority: 2 },
  ]
  return { plugin, groups }
}

/** Writes the name of the second stage's file into the page: the server has it fetched early where it will be needed. */
function nextChunk(base: string): Plugin {
  return {
    name: 'next-chunk',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const next = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'main')
        return html.replace('<!--next-->', next ? `<!--next ${base}${next.fileName}-->` : '')
      },
    },
  }
}

const iconImport = /import\s*\{([^}]+)\}\s*from\s*['"]@tabler\/icons-react['"];?/g

/** Returns the icons' index names five thousand modules; each import is led straight to its own. */
function iconsOneByOne(): Plugin {
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
