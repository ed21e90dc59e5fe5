// A player's desk: moves are tried and kept, lists and boards follow one another.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { sampleFiles } from './server.mjs'
import { SAMPLES, addressOf, browser, serve, square, text, using } from './support.mjs'

serve(sampleFiles(SAMPLES))

describe('the desk', { concurrency: 2 }, () => {
    using('games: moves are tried on the board', '?view=games&game=1&ply=3', {}, async (page) => {
        const moves = page.locator('.game-moves')
        const played = await text(moves)
        const drag = async (from, to, button = 'left') => {
            await page.mouse.move(...(await square(page, from)))
            await page.mouse.down({ button })
            await page.mouse.move(...(await square(page, to)), { steps: 4 })
            await page.mouse.up({ button })
        }
        await drag('a7', 'a6')
        await page.waitForURL(/ply=4-0\.1/)
        await browser.quiet(page)
        assert.equal(await text(moves.locator('[aria-current]')), 'a6')
        await page.mouse.click(...(await square(page, 'a2')))
        await page.mouse.click(...(await square(page, 'a4')))
        await page.waitForURL(/ply=4-0\.2/)
        await browser.quiet(page)
        assert.match(await text(moves.locator('.variations')), /^2… ?a6 3\. ?a4$/)
        // An arrow, the wheel, and the move that the game has is no other one.
        await drag('c8', 'g4', 'right')
        await page.locator('.arrow-green').first().waitFor({ state: 'attached' })
        await page.mouse.move(...(await square(page, 'd5')))
        await page.mouse.wheel(0, -100)
        await page.waitForURL(/ply=4-0\.1/)
        await page.mouse.wheel(0, -100)
        await page.waitForURL(/ply=3\b/)
        await browser.quiet(page)
        const next = await text(moves.locator('.cell a').nth(3))
        await page.keyboard.press('ArrowRight')
        await page.waitForURL(/ply=4$/)
        assert.equal(await text(moves.locator('[aria-current]')), next)
        await browser.axe(page)
        // The explorer gets the tried moves, and the game forgets them.
        await moves.locator('.variations a').last().click()
        await page.getByRole('link', { name: 'Explore from here' }).click()
        await page.waitForURL(/,a7a6,a2a4$/)
        await page.goBack()
        await page.getByRole('button', { name: 'Remove tried moves' }).click()
        await page.waitForURL(/ply=4$/)
        assert.equal(await text(moves), played)
    })

    using('explorer: starting again can be taken back', '?play=e2e4,e7e5', {}, async (page) => {
        const line = page.getByRole('group', { name: 'Moves', exact: true })
        await page.keyboard.press('ArrowLeft')
        await page.getByLabel('Type a move').fill('c5')
        await page.keyboard.press('Enter')
        await page.waitForURL(/c7c5$/)
        await page.getByRole('button', { name: 'Start again' }).click()
        await page.waitForURL((url) => !url.search.includes('play'))
        await browser.quiet(page)
        assert.equal(await text(line), 'Play a move on the board or in the table.')
        await page.getByRole('button', { name: 'Bring the moves back' }).click()
        await browser.quiet(page)
        assert.match(await text(line), /^1\. ?e4 e5 1… ?c5$/)
        // From a position, the way leads to the start of the game.
        await page.goto(`${browser.base}?fen=8/8/8/4k3/8/4K3/4P3/8_w_-_-_0_1`)
        await browser.quiet(page)
        await page.getByRole('button', { name: 'Start again' }).click()
        await page.getByRole('heading', { name: 'Starting position' }).waitFor()
        assert.equal(addressOf(page).get('fen'), null)
    })
})
