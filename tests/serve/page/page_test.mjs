// The page as people use it, view by view; then every view at every width, light and dark.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Browser, kWidths } from './browser.mjs'
import { Server } from './server.mjs'

const { FENDEX, SAMPLES, CHROMIUM, SCREENSHOTS } = process.env
let server
let browser

before(async () => {
    server = await Server.start(FENDEX, SAMPLES)
    browser = await Browser.start(server.address, CHROMIUM, SCREENSHOTS)
})

after(async () => {
    await browser?.stop()
    assert.equal(await server?.stop(), 0)
})

// A test with a page that is closed, and must have done nothing wrong.
function using(name, search, options, act) {
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

// Every view, with something to see.
const kViews = {
    explorer: '?play=e2e4,e7e5,g1f3',
    games: '?view=games&game=1&ply=12',
    events: '?view=games&by=event',
    repetitions: '?view=repetitions&game=84&key=62ada7cdc349d1a8&ply=63',
    patterns: '?view=patterns&pattern=*/???R*/*/*/*/*/*/*&game=3&ply=25',
    player: '?view=player&name=Carlsen,M',
    novelty: '?view=novelty',
}

const addressOf = (page) => new URL(page.url()).searchParams
const text = async (locator) => (await locator.innerText()).replace(/\s+/g, ' ').trim()

// Where a square of the explorer's board is, seen from White.
async function square(page, name) {
    const { x, y, width } = await page.locator('.board-squares').boundingBox()
    const place = (index) => ((index + 0.5) * width) / 8
    return [x + place(name.charCodeAt(0) - 97), y + place(8 - Number(name[1]))]
}

// Goes from element to element until that one has the focus.
async function reach(page, wanted, key = 'Tab') {
    await wanted.waitFor()
    for (let steps = 0; steps < 80; steps++) {
        if (await wanted.evaluate((element) => element === document.activeElement)) return
        await page.keyboard.press(key)
    }
    assert.fail('the keyboard does not get there')
}

// Chooses a file for the view Novelty, and waits until its games are there.
async function choose(page, name) {
    await page.locator('input[type=file]').setInputFiles(join(SAMPLES, name))
    await page.locator('.novelty-list a').nth(36).waitFor()
}

// Two at a time: the page waits for the server and for Chromium more often than not.
describe('the page', { concurrency: 2 }, () => {
    using('explorer: what engines said', '?play=e2e4,e7e5,g1f3', {}, async (page) => {
        const moves = page.getByRole('table', { name: 'Moves played from this position' })
        const row = (san) => moves.locator('tr', { has: page.getByRole('link', { name: san, exact: true }) })
        assert.equal(await text(row('Nc6').locator('.eval')), '+0.33')
        assert.equal(await text(row('Nf6').locator('.eval')), '#−5')
        assert.equal(await text(row('d6').locator('.eval')), '')
        const evaluation = page.getByRole('region', { name: 'Evaluation' })
        assert.match(await text(evaluation), /^\+0.36 depth 41 \+0.36 2...Nc6 3.Bb5 Nf6 4.O-O −1.04 2...d6 3.d4$/)
        assert.equal(await page.locator('.board .eval-bar').getAttribute('title'), '+0.36')
        await evaluation.getByRole('link', { name: 'Nf6' }).click()
        await page.waitForURL(/play=e2e4,e7e5,g1f3,b8c6,f1b5,g8f6$/)
        await browser.quiet(page)
        await page.getByRole('heading', { name: /Ruy Lopez/ }).waitFor()
        assert.equal(await evaluation.count(), 0)
        assert.equal(await moves.locator('.eval').count(), 0)
        assert.equal(await page.locator('.eval-bar').count(), 0)
    })

    // The first game tells its evaluations, the second only its clocks.
    for (const [white, ply, marks, bar, reading] of [
        ['GASPADAREK', 4, '+0.22 5:01', '+0.22', '2… g6: +0.22'],
        ['alanbrito4', 3, '+0.36 5:01', '+0.36', '2. Nf3: +0.36'],
    ])
        using(`games: evaluations and clocks of ${white}`, `?view=games&white=${white}`, {}, async (page) => {
            const rows = page.getByRole('list', { name: 'Games', exact: true }).getByRole('link')
            await rows.first().click()
            await page.waitForURL(/game=/)
            await browser.quiet(page)
            for (let at = 0; at < ply; at++) await page.keyboard.press('ArrowRight')
            await page.waitForURL(new RegExp(`ply=${ply}`))
            const shown = page.locator('.cell', { has: page.locator('[aria-current]') })
            assert.equal(await text(shown.locator('.marks')), marks)
            assert.equal(await page.locator('.board .eval-bar').getAttribute('title'), bar)
            const curve = page.locator('figure', { hasText: 'Evaluation' })
            const { width } = await curve.locator('.u-over').boundingBox()
            const moves = await page.locator('.cell').count()
            await curve.locator('.u-over').hover({ position: { x: (width * (ply - 1)) / (moves - 1), y: 40 } })
            assert.equal(await text(curve.locator('.curve-reading')), reading)
        })

    using('explorer: moves by mouse', '', {}, async (page) => {
        const moves = page.getByRole('table', { name: 'Moves played from this position' })
        const games = async () => parseInt(await text(moves.locator('tfoot .num').first()))
        const all = await games()
        await moves.getByRole('link', { name: 'e4', exact: true }).click()
        await page.waitForURL(/play=e2e4$/)
        await browser.quiet(page)
        assert.ok((await games()) < all)
        // By drag, then by two clicks.
        await page.mouse.move(...(await square(page, 'e7')))
        await page.mouse.down()
        await page.mouse.move(...(await square(page, 'e6')), { steps: 3 })
        await page.mouse.move(...(await square(page, 'e5')), { steps: 3 })
        await page.mouse.up()
        await page.waitForURL(/play=e2e4,e7e5$/)
        await browser.quiet(page)
        await page.mouse.click(...(await square(page, 'g1')))
        await page.mouse.click(...(await square(page, 'f3')))
        await page.waitForURL(/play=e2e4,e7e5,g1f3$/)
        await page.getByRole('heading', { name: /King's Knight Opening/ }).waitFor()
        // The browser's own way back, and on.
        await page.goBack()
        await page.goBack()
        await browser.quiet(page)
        assert.equal(addressOf(page).get('play'), 'e2e4')
        await page.goForward()
        assert.equal(addressOf(page).get('play'), 'e2e4,e7e5')
    })

    using('explorer: by keys alone', '', {}, async (page) => {
        await page.keyboard.press('Tab')
        assert.equal(await text(page.locator(':focus')), 'Skip to content')
        const field = page.getByRole('textbox', { name: 'Type a move' })
        await reach(page, field)
        await page.keyboard.type('e4')
        await page.keyboard.press('Enter')
        await page.waitForURL(/play=e2e4$/)
        // A move on the board: the cursor walks, Enter picks up and puts down.
        await reach(page, page.getByRole('application', { name: /Black to move/ }), 'Shift+Tab')
        await browser.quiet(page)
        for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowLeft'])
            await page.keyboard.press(key)
        await page.keyboard.press('Enter')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.waitForURL(/play=e2e4,c7c5$/)
        // A move of the table, a game of the list.
        await browser.quiet(page)
        const moves = page.getByRole('table', { name: 'Moves played from this position' })
        await reach(page, moves.getByRole('link', { name: 'Nf3', exact: true }))
        await page.keyboard.press('Enter')
        await page.waitForURL(/play=e2e4,c7c5,g1f3$/)
        await browser.quiet(page)
        await reach(page, page.getByRole('list', { name: 'Top games' }).getByRole('link').first())
        await page.keyboard.press('Enter')
        await page.waitForURL(/view=games/)
    })

    using('explorer: filters and set-up', '', {}, async (page) => {
        await page.getByRole('button', { name: '+ Filter' }).click()
        await page.getByLabel('Player', { exact: true }).fill('carlsen')
        assert.equal(await page.getByRole('combobox', { name: 'Result' }).locator('option').count(), 4)
        await page.getByLabel('Time control').selectOption('Blitz')
        await page.getByRole('button', { name: 'Done' }).click()
        await page.waitForURL(/player=carlsen/)
        await page.getByRole('button', { name: 'Remove filter Time control: Blitz' }).click()
        await page.getByRole('button', { name: 'Remove filter Player: carlsen' }).click()
        await page.waitForFunction(() => !location.search.includes('player'))
        await page.getByRole('button', { name: 'Set up a position' }).click()
        await page.getByLabel('Or: moves, or a PGN game').fill('1.d4 d5 2.c4')
        await browser.axe(page)
        await page.getByRole('button', { name: 'Show', exact: true }).last().click()
        await page.waitForURL(/play=d2d4,d7d5,c2c4/)
        await page.getByLabel('Variant').selectOption('crazyhouse')
        await page.waitForURL(/variant=crazyhouse/)
        await browser.quiet(page)
    })

    using('explorer: promotion, castling and drops', '?fen=r3k3/1P6/8/8/8/8/8/4K2R_w_Kq_-_0_1', {}, async (page) => {
        const drag = async (from, to) => {
            await page.mouse.move(...from)
            await page.mouse.down()
            await page.mouse.move(...to, { steps: 4 })
            await page.mouse.up()
        }
        const on = async (name) => page.locator(`.pieces g[data-square=${name}]`).getAttribute('data-piece')
        // The king may be put on its rook, too.
        await drag(await square(page, 'e1'), await square(page, 'h1'))
        await page.waitForURL(/play=e1g1$/)
        await browser.quiet(page)
        assert.deepEqual([await on('g1'), await on('f1')], ['wk', 'wr'])
        await page.getByLabel('Type a move').fill('Ke7')
        await page.keyboard.press('Enter')
        await page.waitForURL(/e8e7$/)
        await browser.quiet(page)
        // A promotion asks, can be cancelled, and is made by keys.
        await drag(await square(page, 'b7'), await square(page, 'a8'))
        const dialog = page.getByRole('dialog', { name: 'Promote to' })
        await dialog.waitFor()
        await browser.axe(page)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await browser.quiet(page)
        assert.equal(await on('b7'), 'wp')
        await drag(await square(page, 'b7'), await square(page, 'a8'))
        await dialog.waitFor()
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.waitForURL(/b7a8r$/)
        // A piece of the pocket is dropped by two clicks, and by a drag.
        await page.goto(`${server.address}?variant=crazyhouse&play=e2e4,d7d5,e4d5,d8d5`)
        await browser.quiet(page)
        await page.getByRole('button', { name: '1 × white pawn' }).click()
        await page.mouse.click(...(await square(page, 'e2')))
        await page.waitForURL(/P@e2$/)
        await browser.quiet(page)
        const pawn = await page.getByRole('button', { name: '1 × black pawn' }).boundingBox()
        await drag([pawn.x + 20, pawn.y + 20], await square(page, 'e5'))
        await page.waitForURL(/P@e2,P@e5$/)
        await browser.quiet(page)
        assert.equal(await on('e5'), 'bp')
    })

    using('games: search, pages, a game', '?view=games', {}, async (page) => {
        const rows = page.getByRole('list', { name: 'Games', exact: true }).getByRole('link')
        const first = await text(rows.first())
        await page.getByRole('button', { name: 'Next page' }).click()
        await page.waitForURL(/cursor=/)
        await browser.quiet(page)
        assert.notEqual(await text(rows.first()), first)
        await page.goBack()
        await browser.quiet(page)
        assert.equal(await text(rows.first()), first)
        await rows.first().click()
        await page.waitForURL(/game=1\b/)
        await browser.quiet(page)
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('ArrowRight')
        await page.waitForURL(/ply=2/)
        const link = page.getByRole('link', { name: 'Download PGN' }).first()
        const pgn = await link.evaluate(async (element) => (await fetch(element.href)).text())
        assert.match(pgn, /^\[Event "/)
    })

    using('games: grouped by event', '?view=games&here=1&sort=date', {}, async (page) => {
        await page.getByLabel('by event').check()
        await page.waitForURL((url) => url.search === '?view=games&here=1&by=event')
        await browser.quiet(page)
        const events = page.getByRole('table', { name: 'Events' })
        const row = (name) => events.locator('tr', { has: page.getByRole('link', { name, exact: true }) })
        assert.equal(await text(row('8th Norway Chess 2020')), '8th Norway Chess 2020 28 6 2764 2020')
        assert.equal(await text(row('Candidates Tournament')), 'Candidates Tournament 3 6 1953–1959')
        const all = parseInt(await text(page.getByRole('heading', { name: /^\d+ events$/ })))
        assert.ok(all > 50)
        await page.getByLabel('Order').selectOption('name')
        await page.waitForURL(/sort=name/)
        await browser.quiet(page)
        const links = events.getByRole('link')
        assert.equal(await links.first().innerText(), '18th DSB Congress')
        // Words find several events; a row leads to the games of exactly one.
        await page.goto(`${server.address}?view=games&by=event&event=live+chess`)
        await page.getByRole('heading', { name: '2 events', exact: true }).waitFor()
        await reach(page, links.first())
        await page.keyboard.press('ArrowDown')
        assert.ok(await links.nth(1).evaluate((element) => element === document.activeElement))
        await page.keyboard.press('ArrowUp')
        assert.equal(await links.first().innerText(), 'Live Chess - Chess960')
        await links.nth(1).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: '4 games', exact: true }).waitFor()
        assert.equal(addressOf(page).get('event'), '=Live Chess')
        const games = page.getByRole('list', { name: 'Games', exact: true }).getByRole('link')
        assert.equal(await games.count(), 4)
        await page.goBack()
        await page.getByRole('heading', { name: '2 events', exact: true }).waitFor()
    })

    using('repetitions: list, board and jumps', '?view=repetitions', {}, async (page) => {
        const rows = page.getByRole('list', { name: 'Repeated positions' }).getByRole('link')
        const all = await rows.count()
        assert.ok(all > 5)
        await page.getByLabel('Missed draws only').check()
        await page.waitForURL(/missed=1/)
        await browser.quiet(page)
        const missed = await rows.count()
        assert.ok(missed > 0 && missed < all)
        // A claim by a move that was not played.
        await rows.first().click()
        await page.getByRole('heading', { name: /Réti/ }).waitFor()
        await page.getByText('White could have claimed a draw after ply 38 by announcing Bg2.').waitFor()
        await rows.nth(1).click()
        await page.getByRole('heading', { name: /Levenfish/ }).waitFor()
        const jumps = page.getByRole('navigation', { name: 'The position was there' }).getByRole('link')
        assert.equal(await jumps.count(), 7)
        assert.equal(addressOf(page).get('ply'), '59')
        await jumps.nth(1).click()
        assert.equal(addressOf(page).get('ply'), '63')
        // Keys: the next time, one ply on.
        await page.keyboard.press('ArrowDown')
        await page.waitForURL(/ply=67/)
        await page.keyboard.press('ArrowRight')
        await page.waitForURL(/ply=68/)
        await page.getByText('Black could have claimed a draw on').waitFor()
        // A reload shows the same; back returns to the list without a board.
        await page.reload()
        await page.getByRole('heading', { name: /Levenfish/ }).waitFor()
        assert.equal(addressOf(page).get('ply'), '68')
        await page.goBack()
        assert.equal(addressOf(page).get('ply'), '59')
        await page.goBack()
        assert.equal(addressOf(page).get('game'), '18')
        await page.goBack()
        assert.equal(addressOf(page).get('game'), null)
        await page.getByLabel('Missed draws only').uncheck()
        await page.getByLabel('Perpetual check only').check()
        await page.waitForURL(/perpetual=1/)
        await browser.quiet(page)
        await rows.first().click()
        await page.getByText('White gave check with every move.').waitFor()
    })

    using('patterns: drawn on the board', '?view=patterns', {}, async (page) => {
        const board = page.getByRole('group', { name: /^Pattern/ })
        await page.getByRole('button', { name: 'white rook', exact: true }).click()
        await board.getByRole('button', { name: 'd7 empty' }).click()
        await page.getByRole('button', { name: 'any black piece' }).click()
        await board.getByRole('button', { name: 'g8 empty' }).click()
        assert.equal(await page.getByLabel('Pattern', { exact: true }).inputValue(), '*a?/???R*/*/*/*/*/*/*')
        await page.getByRole('button', { name: 'Search' }).click()
        await page.waitForURL(/pattern=/)
        await browser.quiet(page)
        const rows = page.getByRole('list', { name: 'Games with the pattern' }).getByRole('link')
        await rows.first().click()
        await page.getByRole('navigation', { name: 'The pattern was there' }).waitFor()
        await page.getByRole('button', { name: 'Count all' }).click()
        const counted = page.getByText(/\d+ games, \d+ positions/)
        await counted.waitFor()
        assert.ok(parseInt(await text(counted)) >= (await rows.count()))
        await browser.axe(page)
    })

    using('patterns: from the explorer', '?play=e2e4', {}, async (page) => {
        await page.getByRole('link', { name: 'Patterns' }).click()
        await page.getByRole('button', { name: "Take the explorer's position" }).click()
        await page.getByRole('button', { name: 'e4 white pawn' }).waitFor()
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByRole('list', { name: 'Games with the pattern' }).getByRole('link').first().waitFor()
    })

    using('patterns: by keys alone', '?view=patterns', {}, async (page) => {
        await page.getByRole('button', { name: 'e4 empty' }).focus()
        await page.keyboard.type('N')
        await page.keyboard.press('ArrowUp')
        await page.keyboard.type('p')
        await page.keyboard.press('ArrowLeft')
        await page.keyboard.type('q')
        await page.keyboard.press('Delete')
        const field = page.getByLabel('Pattern', { exact: true })
        assert.equal(await field.inputValue(), '*/*/*/*p???/*N???/*/*/*')
        await field.focus()
        await page.keyboard.press('Enter')
        await page.getByRole('list', { name: 'Games with the pattern' }).getByRole('link').first().waitFor()
    })

    using('games: one by rules that are not known', '?view=games', {}, async (page) => {
        await page.route(/\/games\/1(\?|$)/, async (route) => {
            const response = await route.fetch()
            const json = { ...(await response.json()), fen: null, comment: null, moves: null }
            await route.fulfill({ response, json })
        })
        await page.goto(`${server.address}?view=games&game=1`)
        await page.getByText('its rules are not known here').waitFor()
        await page.getByRole('link', { name: 'Close game' }).click()
        await page.getByText('its rules are not known here').waitFor({ state: 'detached' })
    })

    using('patterns: material, and what is wrong', '?view=patterns', {}, async (page) => {
        await page.getByLabel('Material').fill('KRPvKR')
        await page.getByLabel('Material').press('Enter')
        await browser.quiet(page)
        await page.getByLabel('Pattern', { exact: true }).fill('8/8')
        await page.getByRole('button', { name: 'Search' }).click()
        const alert = page.getByRole('alert')
        await alert.first().waitFor()
        assert.match(await text(alert.first()), /rank/)
        page.wrong = page.wrong.filter((what) => !what.includes('400'))
        await page.getByRole('button', { name: 'Clear' }).click()
        await page.getByText('How many of each piece').click()
        await page.getByLabel('white queen', { exact: true }).last().selectOption('=2')
        assert.equal(await page.getByLabel('Material').inputValue(), 'Q=2')
    })

    using('player: by name', '?view=player', {}, async (page) => {
        await page.getByRole('link', { name: 'Harikrishna,P' }).waitFor()
        await page.getByLabel('Name').fill('carls')
        await page.getByLabel('Name').press('Enter')
        await page.waitForURL(/name=carls/)
        // Unless the server takes the beginning of a name for the name, the reader chooses.
        const choice = page.getByRole('link', { name: 'Carlsen,M', exact: true })
        const heading = page.getByRole('heading', { name: 'Carlsen,M', exact: true })
        await choice.or(heading).first().waitFor()
        if (await choice.isVisible()) await choice.click()
        await heading.waitFor()
        await browser.quiet(page)
        page.wrong = page.wrong.filter((what) => !/\b(400|404)\b/.test(what))
        await page.getByRole('row', { name: /^As White 5 60/ }).waitFor()
        await page.getByRole('img', { name: /^Rating from/ }).waitFor()
        await page.getByRole('link', { name: /has Black$/ }).click()
        await page.waitForURL(/color=black/)
        await page.getByRole('heading', { name: 'What is played' }).waitFor()
        await page.goBack()
        await page.getByRole('button', { name: '1.d4', exact: true }).click()
        await page.waitForURL(/play=d2d4/)
        assert.equal(addressOf(page).get('white'), 'Carlsen,M')
    })

    for (const [name, search] of Object.entries(kViews)) {
        using(`print: ${name}`, search, {}, async (page) => {
            await browser.quiet(page)
            await page.emulateMedia({ media: 'print' })
            await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
            const cut = await page.evaluate(() =>
                [...document.querySelectorAll('main *')]
                    .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
                    .filter((element) => element.scrollHeight > element.clientHeight + 3)
                    .map((element) => element.className),
            )
            assert.deepEqual(cut, [])
            for (const curve of await page.locator('.curve-box').all()) {
                await curve.locator('.on-paper').waitFor()
            }
        })
    }

    using('player: names left out, and joined ones', '?view=games&player=anand%20viswanathan', {}, async (page) => {
        await page.getByText('Not counted, but perhaps the same player:').waitFor()
        await page.getByRole('link', { name: 'Anand,V', exact: true }).click()
        await page.waitForURL(/view=player.*name=Anand/)
        await page.getByRole('heading', { name: 'Anand,V', exact: true }).waitFor()
        await page.getByText('Not counted, but perhaps the same player:').waitFor()
        assert.equal(addressOf(page).get('player'), null)
        await page.getByRole('link', { name: 'Anand, Viswanathan', exact: true }).waitFor()
        await browser.axe(page)
    })

    using('player: against another', '?view=player&name=Carlsen,M', {}, async (page) => {
        await page.getByLabel('Against').fill('Anand,V')
        await page.getByLabel('Against').press('Enter')
        await page.getByRole('heading', { name: 'Carlsen,M against Anand,V' }).waitFor()
        await browser.quiet(page) // while answers are on the way, the page is pale
        await browser.axe(page)
    })

    const pgn = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 h5 1-0\n'

    using('novelty: a chosen file', '?view=novelty', {}, async (page) => {
        await choose(page, 'classics.pgn')
        await page.locator('.novelty-list a').nth(2).click()
        await page.waitForURL(/n=3/)
        await page.getByRole('heading', { name: /Morphy/ }).waitFor()
        await browser.axe(page)
    })

    using('novelty: a pasted game', '?view=novelty', {}, async (page) => {
        await page.getByLabel('or paste a PGN').fill(pgn)
        await page.getByRole('button', { name: 'Find the new moves' }).click()
        await page.getByText('New: 3…h5').waitFor()
        // It is still there after a reload.
        await page.reload()
        await page.getByText('New: 3…h5').waitFor()
        await page.getByRole('link', { name: 'Open in the explorer' }).click()
        await page.waitForURL(/fen=r1bqkbnr/)
    })

    using('novelty: a dropped file', '?view=novelty', {}, async (page) => {
        const file = await page.evaluateHandle((content) => {
            const carried = new DataTransfer()
            carried.items.add(new File([content], 'game.pgn'))
            return carried
        }, pgn)
        await page.dispatchEvent('.drop', 'dragover', { dataTransfer: file })
        await page.getByText('Drop the file').waitFor()
        await page.dispatchEvent('.drop', 'drop', { dataTransfer: file })
        await page.getByText('New: 3…h5').waitFor()
    })

    for (const [view, search] of Object.entries(kViews)) {
        for (const width of Object.keys(kWidths)) {
            for (const scheme of ['light', 'dark']) {
                const language = scheme === 'dark' ? 'de' : 'en'
                using(`${view}: ${width}, ${scheme}`, search, { width, scheme, language }, async (page) => {
                    if (view === 'novelty') await choose(page, 'classics.pgn')
                    assert.equal(await page.locator('main h1').count(), 1)
                    const sideways = await page.evaluate(
                        () => document.documentElement.scrollWidth - innerWidth,
                    )
                    assert.equal(sideways, 0)
                    await browser.shoot(page, `${view} ${width} ${scheme}`)
                    // On a wall everything is as on a desk, only larger.
                    if (width !== 'wall') await browser.axe(page)
                })
            }
        }
    }
})
