// What the tests of the page have in common: the server, the browser, and what a person does often.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { Browser } from './browser.mjs'
import { Server, gameOf } from './server.mjs'

export const { FENDEX, SAMPLES, CHROMIUM, SCREENSHOTS } = process.env
export let server
export let browser

// Serves databases, each of some archives, and starts Chromium, for all tests of a file.
export function serve(...databases) {
    before(async () => {
        server = await Server.start(FENDEX, databases)
        browser = await Browser.start(server.address, CHROMIUM, SCREENSHOTS)
    })
    after(async () => {
        await browser?.stop()
        assert.equal(await server?.stop(), 0)
    })
}

// A test with a page that is closed, and must have done nothing wrong.
export function using(name, search, options, act) {
    it(name, async () => {
        const page = await browser.open(search, options)
        try {
            await act(page)
        } catch (failure) {
            await browser.shoot(page, `failed ${name.replace(/\W+/g, ' ')}`)
            throw failure
        }
        await browser.close(page)
    })
}

export const addressOf = (page) => new URL(page.url()).searchParams
export const text = async (locator) => (await locator.innerText()).replace(/\s+/g, ' ').trim()

// Where a square of the explorer's board is, seen from White.
export async function square(page, name) {
    const { x, y, width } = await page.locator('.board-squares').boundingBox()
    const place = (index) => ((index + 0.5) * width) / 8
    return [x + place(name.charCodeAt(0) - 97), y + place(8 - Number(name[1]))]
}

// Goes from element to element until that one has the focus.
export async function reach(page, wanted, key = 'Tab') {
    await wanted.waitFor()
    for (let steps = 0; steps < 80; steps++) {
        if (await wanted.evaluate((element) => element === document.activeElement)) return
        await page.keyboard.press(key)
    }
    assert.fail('the keyboard does not get there')
}

// Chooses a file for the view Novelty, and waits until its games are there.
export async function choose(page, name) {
    await page.locator('input[type=file]').setInputFiles(join(SAMPLES, name))
    await page.locator('.novelty-list a').nth(36).waitFor()
}

// Chooses lines for the view Repertoire, and waits until they are there.
export async function chooseLines(page) {
    await page.locator('input[type=file]').setInputFiles(join(SAMPLES, 'repertoire.txt'))
    await page.locator('.coverage').first().waitFor()
    await browser.quiet(page)
}

// Returns the words, dates among them, that are on two lines.
export function brokenWords(page) {
    return page.evaluate(() => {
        const broken = []
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
            const node = walker.currentNode
            const element = node.parentElement
            if (!element.checkVisibility() || element.closest('.hidden, textarea, script, option')) continue
            for (const word of node.data.matchAll(/\d{4}-\d\d-\d\d|\d\d\.\d\d\.\d{4}|[\p{L}\p{N}]{2,26}/gu)) {
                const range = document.createRange()
                range.setStart(node, word.index)
                range.setEnd(node, word.index + word[0].length)
                const tops = [...range.getClientRects()].map((rect) => rect.top)
                if (Math.max(...tops) - Math.min(...tops) > 6) broken.push(word[0])
            }
        }
        return broken
    })
}

// Shows a game that is not in the database as if it were the first one.
export async function withGame(page, pgn) {
    const game = await gameOf(FENDEX, pgn)
    await page.route(/\/games\/1(\?|$)/, (route) => route.fulfill({ json: game }))
    await page.reload()
    await page.locator('.game-moves').waitFor()
}
