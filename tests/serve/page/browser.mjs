// Pages in Chromium that are watched: whatever they ask of another host, log as an error or forbid
// by their Content-Security-Policy makes the test fail that opened them.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const kWidths = { phone: [360, 740], desk: [1280, 800], wide: [1440, 900], wall: [2560, 1440] }

// These run in the page.
function isDrawn() {
    const main = document.querySelector('main')
    return (
        main?.querySelector('h1') &&
        !main.querySelector('[aria-busy=true]') &&
        !/(Loading|Lädt|Searching|Sucht) …/.test(main.innerText)
    )
}

// Waits until the page has drawn so many frames.
export async function drawFrames(count) {
    for (let frames = 0; frames < count; frames++)
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
}

export class Browser {
    static async start(base, program, screenshots) {
        mkdirSync(screenshots, { recursive: true })
        const started = await chromium.launch({
            executablePath: program,
            // Chromium's own sandbox does not run as root, as in continuous integration.
            args: process.getuid() === 0 ? ['--no-sandbox'] : [],
        })
        return new Browser(started, base, screenshots)
    }

    constructor(started, base, screenshots) {
        this.started = started
        this.base = base
        this.screenshots = screenshots
        this.free = {}
    }

    // Opens the page at an address, "?view=games", and waits until it is quiet. A tab that a test has
    // left is taken again, without what the page had stored in it: a new one is a new process, which
    // costs several times what the page does.
    async open(search = '', { width = 'desk', scheme = 'light', language = 'en' } = {}) {
        const [x, y] = kWidths[width]
        const page = this.free[language]?.pop() ?? (await this.tab(language))
        await page.setViewportSize({ width: x, height: y })
        await page.emulateMedia({ media: null, colorScheme: scheme })
        page.wrong = []
        page.asking = 0
        page.on('requestfinished', () => page.asking--)
        page.on('requestfailed', () => page.asking--)
        page.on('request', (request) => {
            page.asking++
            if (new URL(request.url()).origin !== new URL(this.base).origin)
                page.wrong.push(`asks ${request.url()}`)
        })
        page.on('console', (message) => {
            if (message.type() === 'error') page.wrong.push(`${message.text()} ${message.location().url}`)
        })
        page.on('pageerror', (error) => page.wrong.push(String(error)))
        await page.goto(this.base + search)
        await this.quiet(page)
        return page
    }

    // A new tab, which shares nothing with others.
    async tab(language) {
        const context = await this.started.newContext({ locale: language, reducedMotion: 'reduce' })
        context.setDefaultTimeout(30_000)
        const page = await context.newPage()
        page.language = language
        return page
    }

    // Waits until the view is there and every answer that it wants is drawn.
    async quiet(page) {
        const ends = ['requestfinished', 'requestfailed'] // the page aborts what it no longer needs
        do {
            await page.waitForFunction(isDrawn)
            while (page.asking > 0) await Promise.race(ends.map((end) => page.waitForEvent(end)))
            // The page may ask the server only after it has drawn the next frame.
            await page.evaluate(drawFrames, 2)
        } while (page.asking > 0 || !(await page.evaluate(isDrawn)))
    }

    // Leaves the page, which must have done nothing wrong.
    async close(page) {
        await this.quiet(page)
        await page.unrouteAll()
        page.removeAllListeners()
        await page.mouse.move(-1, -1)
        await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()))
        await page.goto('about:blank')
        assert.deepEqual(page.wrong, [])
        ;(this.free[page.language] ??= []).push(page)
    }

    async shoot(page, name) {
        await page.screenshot({ path: join(this.screenshots, `${name}.png`) })
    }

    // What axe finds wrong.
    async axe(page) {
        await page.evaluate(axeSource)
        const found = await page.evaluate(async () => {
            const { violations } = await globalThis.axe.run({ resultTypes: ['violations'] })
            return violations.map(
                ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
            )
        })
        assert.deepEqual(found, [])
    }

    async stop() {
        await this.started.close()
    }
}
