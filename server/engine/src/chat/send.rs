use uuid::Uuid;
use wire::chat::{SendMessage, Sent};
use wire::event::Custom;
use wire::fold::first_line;
use wire::message::{Message, MessageClass, MessageState, Part, Sender, SenderKind};
use wire::turn::{Cause, Turn};

use crate::Engine;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::store::chat::{self, ChatRow};
use crate::store::message::{self, NewMessage};
use crate::store::{Tx, thread};
use crate::turn::{self, NewTurn};

/// Most characters of one message.
const TEXT_MAX: usize = 200_000;
const CLIENT_ID_MAX: usize = 100;

/// Stores a message and queues a turn for each agent that it goes to, in one transaction. The same `client_id` gives the first answer
/// again, however often and from wherever it is sent.
///
/// # Errors
/// When the chat is not the actor's to use, has ended, or the message cannot be taken as it is.
pub async fn send(engine: &Engine, actor: &Actor, chat_id: Uuid, send: SendMessage) -> Result<Sent> {
    let send = check(send)?;
    let mut tx = engine.begin().await?;
    super::usable(&mut tx, actor, chat_id).await?;
    // from here on sends of this chat come one after another, and a repeated one finds the first
    chat::lock(&mut tx, chat_id).await?;
    let row = chat::get(&mut tx, chat_id).await?.ok_or(Error::NotFound("The chat"))?;
    if let Some(known) = message::by_client_id(&mut tx, chat_id, &send.client_id).await? {
        let turn =
            crate::store::turn::of_message(&mut tx, known.message.id).await?.into_iter().next().map(|row| row.turn);
        return Ok(Sent { message: known.message, turn });
    }
    if row.chat.ended_at.is_some() {
        return Err(Error::gone("chat_ended", "This chat has ended. Start a new chat, or restore this one."));
    }
    let agents = recipients(&row, &send)?;
    let message = store(engine, &mut tx, actor, &row, &send).await?;
    let mut turns: Vec<Turn> = Vec::new();
    if message.class == MessageClass::Message {
        for agent_id in agents {
            let new = NewTurn {
                chat_id,
                thread_id: message.thread_id,
                message_id: message.id,
                agent_id,
                cause: Cause::Person,
                skill: None,
            };
            turns.push(turn::enqueue(&mut tx, engine, actor, new).await?);
        }
    }
    tx.notice(&super::notice(&row, "message", message.id, "sent")).await?;
    let mut events: Vec<_> = std::iter::once(Custom::Message(Box::new(message.clone())).into())
        .chain(turns.iter().map(|turn| Custom::Turn(Box::new(turn.clone())).into()))
        .collect();
    if row.held && !turns.is_empty() {
        // whoever sends on wants what a stop holds to go on too
        chat::set_held(&mut tx, chat_id, false).await?;
        events.push(Custom::Held(false).into());
    }
    tx.append(chat_id, None, &events).await?;
    tx.commit().await?;
    turn::kick(engine, chat_id);
    Ok(Sent { message, turn: turns.into_iter().next() })
}

fn check(mut send: SendMessage) -> Result<SendMessage> {
    let ids = send.client_id.chars().count();
    if ids == 0 || ids > CLIENT_ID_MAX || send.client_id.contains('\0') {
        return Err(Error::invalid(
            "client_id",
            format!("`client_id` is a text of 1 to {CLIENT_ID_MAX} characters that the sender makes."),
        ));
    }
    if send.text.trim().is_empty() {
        return Err(Error::invalid("empty", "Write something first: the message is empty."));
    }
    if send.text.chars().count() > TEXT_MAX {
        return Err(Error::TooLarge(format!(
            "A message has at most {TEXT_MAX} characters. Put the long text into the record, or send it in parts."
        )));
    }
    if send.thread_id.is_some() && send.new_thread == Some(true) {
        return Err(Error::invalid("thread", "Name a thread or ask for a new one, not both."));
    }
    if let Some(skill) = &send.skill {
        return Err(Error::invalid("unknown_skill", format!("There is no skill /{skill}. Send the text without it.")));
    }
    if send.attachments.as_ref().is_some_and(|attachments| !attachments.is_empty()) {
        return Err(Error::invalid(
            "unknown_attachment",
            "These attachments are not known in this chat. Send the message without them.",
        ));
    }
    if matches!(send.class, Some(MessageClass::Log | MessageClass::Resource)) {
        return Err(Error::invalid("class", "A person sends messages and notes. Leave `class` out for a message."));
    }
    send.text = crate::text::storable(&send.text).into_owned();
    Ok(send)
}

/// Whom the message goes to: the agents it names, or every member.
fn recipients(row: &ChatRow, send: &SendMessage) -> Result<Vec<Uuid>> {
    let members: Vec<Uuid> = row.chat.agents.iter().map(|agent| agent.id).collect();
    match &send.agents {
        None => Ok(members),
        Some(named) if named.is_empty() => Ok(members),
        Some(named) if named.iter().all(|id| members.contains(id)) => {
            Ok(members.into_iter().filter(|id| named.contains(id)).collect())
        }
        Some(_) => Err(Error::NotFound("The agent")),
    }
}

async fn store(engine: &Engine, tx: &mut Tx, actor: &Actor, row: &ChatRow, send: &SendMessage) -> Result<Message> {
    let now = tx.now();
    let chat_id = row.chat.id;
    let thread_id = match send.thread_id {
        Some(thread_id) => {
            if !thread::exists(tx, chat_id, thread_id).await? {
                return Err(Error::NotFound("The thread"));
            }
            Some(thread_id)
        }
        None if send.new_thread == Some(true) => {
            let thread_id = engine.id();
            thread::insert(tx, thread_id, chat_id, &first_line(&send.text), &send.client_id, now).await?;
            Some(thread_id)
        }
        None => None,
    };
    let id = chat::next_message_id(tx, chat_id, now).await?;
    let message = Message {
        id,
        chat_id,
        thread_id,
        turn_id: None,
        client_id: Some(send.client_id.clone()),
        sender: Sender { kind: SenderKind::Person, id: actor.person_id, name: actor.person_name.clone() },
        class: send.class.unwrap_or_default(),
        subclass: None,
        format: "markdown".to_owned(),
        state: MessageState::Settled,
        parts: vec![Part::Text { id: "t0".to_owned(), text: send.text.clone() }],
        attachments: Vec::new(),
        created_at: now,
        edited_at: None,
    };
    let new = NewMessage {
        id,
        chat_id,
        thread_id,
        turn_id: None,
        client_id: Some(&send.client_id),
        sender: (SenderKind::Person, actor.person_id),
        class: message.class,
        subclass: None,
        state: MessageState::Settled,
        parts: &message.parts,
    };
    message::insert(tx, &new, now).await?;
    Ok(message)
}
